# Copyright Waypost contributors. Licence: Apache-2.0.
"""The countries of the bundled world by area, the largest first: of two that have no room, the larger is named."""

COUNTRIES_BY_AREA = """
Antarctica|Russia|Canada|China|United States|Brazil|Australia|India|Argentina|Kazakhstan|Algeria|DR Congo|Greenland|
Saudi Arabia|Mexico|Indonesia|Sudan|Libya|Iran|Mongolia|Peru|Chad|Niger|Angola|Mali|South Africa|Colombia|Ethiopia|Bolivia|
Mauritania|Egypt|Tanzania|Nigeria|Venezuela|Pakistan|Namibia|Mozambique|Turkey|Chile|Zambia|Myanmar|Afghanistan|France|
South Sudan|Central African Republic|Somalia|Ukraine|Madagascar|Botswana|Kenya|Yemen|Thailand|Spain|Turkmenistan|Cameroon|
Papua New Guinea|Sweden|Uzbekistan|Morocco|Iraq|Paraguay|Zimbabwe|Japan|Germany|Norway|Congo|Finland|Vietnam|Malaysia|
Côte d'Ivoire|Poland|Oman|Italy|Philippines|Ecuador|Burkina Faso|New Zealand|Gabon|Western Sahara|Guinea|United Kingdom|
Uganda|Ghana|Romania|Laos|Guyana|Belarus|Kyrgyzstan|Senegal|Syria|Cambodia|Uruguay|Somaliland|Suriname|Tunisia|Bangladesh|
Nepal|Tajikistan|Greece|Nicaragua|North Korea|Malawi|Eritrea|Benin|Honduras|Liberia|Bulgaria|Cuba|Guatemala|Iceland|
South Korea|Hungary|Portugal|Jordan|Serbia|Azerbaijan|Austria|United Arab Emirates|Czechia|Panama|Sierra Leone|Ireland|
Georgia|Sri Lanka|Lithuania|Latvia|Togo|Croatia|Bosnia and Herzegovina|Costa Rica|Slovakia|Dominican Republic|Estonia|
Denmark|Netherlands|Switzerland|Bhutan|Taiwan|Guinea-Bissau|Moldova|Belgium|Lesotho|Armenia|Solomon Islands|Albania|
Equatorial Guinea|Burundi|Haiti|Rwanda|North Macedonia|Djibouti|Belize|El Salvador|Israel|Slovenia|New Caledonia|Fiji|Kuwait|
Eswatini|Timor-Leste|Bahamas|Montenegro|Vanuatu|Qatar|Gambia|Jamaica|Kosovo|Lebanon|Cyprus|Puerto Rico|Palestine|
Brunei|Trinidad and Tobago|Cape Verde|Samoa|Luxembourg|Mauritius|Hong Kong|Macao
""".replace("\n", "").strip().split("|")
PLACES = {name: place for place, name in enumerate(COUNTRIES_BY_AREA)}


def order(name):
    """The place of a country in this list; those that are not in it come last."""
    return PLACES.get(name, len(PLACES))
