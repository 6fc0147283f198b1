# Copyright Waypost contributors. Licence: Apache-2.0.
"""Names for the bundled world that neither Natural Earth's tiles nor CLDR have: our own table."""

# Natural Earth's short forms, written out; what has changed its name since.
COUNTRIES = {
    "Bosnia and Herz.": "Bosnia and Herzegovina", "Central African Rep.": "Central African Republic",
    "Czech Rep.": "Czechia", "Dem. Rep. Congo": "DR Congo", "Dem. Rep. Korea": "North Korea",
    "Dominican Rep.": "Dominican Republic", "Eq. Guinea": "Equatorial Guinea", "Korea": "South Korea",
    "Lao PDR": "Laos", "Macedonia": "North Macedonia", "S. Sudan": "South Sudan", "Swaziland": "Eswatini",
    "W. Sahara": "Western Sahara",
}
MOVED = {"Norway": (9.5, 61.8)}  # longitude, latitude: its label stood on Svalbard
NO_COUNTRIES = ("Baikonur", "Siachen Glacier", "USNB Guantanamo Bay")
CITIES = {
    "Belem": "Belém", "Chi?in?u": "Chișinău", "Goiania": "Goiânia", "Kiev": "Kyiv", "København": "Copenhagen",
    "Makkah": "Mecca", "Medellin": "Medellín", "Nur-Sultan": "Astana", "Rangoon": "Yangon", "Sao Paulo": "São Paulo",
    "Shenyeng": "Shenyang", "Xian": "Xi’an",
}

# Of the members of the United Nations; Jerusalem, whose status is disputed, is drawn as a city.
CAPITALS = set("""
Abu Dhabi|Abuja|Accra|Addis Ababa|Algiers|Amman|Amsterdam|Andorra|Ankara|Antananarivo|Apia|Ashgabat|Asmara|Astana|Asunción|Athens|
Baghdad|Baku|Bamako|Bandar Seri Begawan|Bangkok|Bangui|Banjul|Beijing|Beirut|Belgrade|Belmopan|Berlin|Bern|Bishkek|
Basseterre|Bissau|Bogota|Bridgetown|Bogotá|Brasilia|Brasília|Bratislava|Brazzaville|Brussels|Bucharest|Budapest|Buenos Aires|Cairo|Canberra|
Caracas|Castries|Chișinău|Conakry|Copenhagen|Dakar|Damascus|Dhaka|Dili|Djibouti|Dodoma|Doha|Dublin|Dushanbe|Freetown|Funafuti|Gaborone|
Georgetown|Guatemala|Guatemala City|Hanoi|Harare|Havana|Helsinki|Honiara|Islamabad|Jakarta|Juba|Kabul|Kampala|Kathmandu|
Khartoum|Kigali|Kingston|Kingstown|Kinshasa|Kuala Lumpur|Kuwait|Kuwait City|Kyiv|La Paz|Libreville|Lilongwe|Lima|Lisbon|Ljubljana|Lome|
Lomé|London|Luanda|Lusaka|Luxembourg|Madrid|Majuro|Malabo|Malé|Managua|Manama|Manila|Maputo|Maseru|Mbabane|Melekeok|Mexico City|Monaco|Minsk|
Mogadishu|Monrovia|Montevideo|Moroni|Moscow|Muscat|Nairobi|Nassau|N'Djamena|Naypyidaw|New Delhi|Niamey|Nicosia|Nouakchott|Nuku'alofa|Oslo|
Ottawa|Ouagadougou|Palikir|Panama City|Paramaribo|Paris|Phnom Penh|Podgorica|Port Moresby|Port-au-Prince|Port Louis|Port Vila|
Port-of-Spain|Porto-Novo|Prague|Praia|Pretoria|Pyongyang|Quito|Rabat|Reykjavík|Riga|Riyadh|Rome|Roseau|San José|
Saint George's|Saint John's|San Marino|San Salvador|Sanaa|Santiago|Santo Domingo|Sarajevo|Seoul|Singapore|Skopje|Sofia|Sri Jayawardenepura Kotte|Stockholm|Sucre|Suva|São Tomé|Tallinn|Tarawa|
Tashkent|Tbilisi|Tegucigalpa|Tehran|Thimphu|Tirana|Tokyo|Tripoli|Tunis|Ulaanbaatar|Vaduz|Valletta|Victoria|Vienna|Vientiane|Vilnius|Warsaw|
Washington, D.C.|Wellington|Windhoek|Yamoussoukro|Yaounde|Yaoundé|Yerevan|Zagreb
""".replace("\n", "").split("|"))

SEA_LANGUAGES = ("de", "fr", "es", "it", "pt", "nl", "sv", "fi", "pl", "cs", "ru", "tr", "ja", "zh",
                 "ar", "ko", "hi", "uk")
SEAS = {line.split("|")[0]: line.split("|")[1:] for line in """
Arctic Ocean|Arktischer Ozean|Océan Arctique|Océano Ártico|Mar Glaciale Artico|Oceano Ártico|Noordelijke IJszee|Norra ishavet|Pohjoinen jäämeri|Ocean Arktyczny|Severní ledový oceán|Северный Ледовитый океан|Arktik Okyanusu|北極海|北冰洋|المحيط المتجمد الشمالي|북극해|आर्कटिक महासागर|Північний Льодовитий океан
Indian Ocean|Indischer Ozean|Océan Indien|Océano Índico|Oceano Indiano|Oceano Índico|Indische Oceaan|Indiska oceanen|Intian valtameri|Ocean Indyjski|Indický oceán|Индийский океан|Hint Okyanusu|インド洋|印度洋|المحيط الهندي|인도양|हिन्द महासागर|Індійський океан
North Atlantic Ocean|Nordatlantik|Océan Atlantique Nord|Atlántico Norte|Atlantico settentrionale|Atlântico Norte|Noord-Atlantische Oceaan|Nordatlanten|Pohjois-Atlantti|Północny Atlantyk|Severní Atlantik|Северная Атлантика|Kuzey Atlas Okyanusu|北大西洋|北大西洋|شمال المحيط الأطلسي|북대서양|उत्तर अटलांटिक महासागर|Північна Атлантика
North Pacific Ocean|Nordpazifik|Océan Pacifique Nord|Pacífico Norte|Pacifico settentrionale|Pacífico Norte|Noordelijke Grote Oceaan|Norra Stilla havet|Pohjoinen Tyynimeri|Północny Pacyfik|Severní Pacifik|Север Тихого океана|Kuzey Büyük Okyanus|北太平洋|北太平洋|شمال المحيط الهادئ|북태평양|उत्तर प्रशांत महासागर|Північ Тихого океану
South Atlantic Ocean|Südatlantik|Océan Atlantique Sud|Atlántico Sur|Atlantico meridionale|Atlântico Sul|Zuid-Atlantische Oceaan|Sydatlanten|Etelä-Atlantti|Południowy Atlantyk|Jižní Atlantik|Южная Атлантика|Güney Atlas Okyanusu|南大西洋|南大西洋|جنوب المحيط الأطلسي|남대서양|दक्षिण अटलांटिक महासागर|Південна Атлантика
South Pacific Ocean|Südpazifik|Océan Pacifique Sud|Pacífico Sur|Pacifico meridionale|Pacífico Sul|Zuidelijke Grote Oceaan|Södra Stilla havet|Eteläinen Tyynimeri|Południowy Pacyfik|Jižní Pacifik|Юг Тихого океана|Güney Büyük Okyanus|南太平洋|南太平洋|جنوب المحيط الهادئ|남태평양|दक्षिण प्रशांत महासागर|Південь Тихого океану
Southern Ocean|Südlicher Ozean|Océan Austral|Océano Antártico|Oceano Antartico|Oceano Antártico|Zuidelijke Oceaan|Södra ishavet|Eteläinen jäämeri|Ocean Południowy|Jižní oceán|Южный океан|Güney Okyanusu|南極海|南冰洋|المحيط الجنوبي|남극해|दक्षिणी महासागर|Південний океан
Arabian Sea|Arabisches Meer|Mer d’Arabie|Mar Arábigo|Mar Arabico|Mar Arábico|Arabische Zee|Arabiska havet|Arabianmeri|Morze Arabskie|Arabské moře|Аравийское море|Umman Denizi|アラビア海|阿拉伯海|بحر العرب|아라비아해|अरब सागर|Аравійське море
Baffin Bay|Baffinbucht|Baie de Baffin|Bahía de Baffin|Baia di Baffin|Baía de Baffin|Baffinbaai|Baffinbukten|Baffininlahti|Morze Baffina|Baffinův záliv|море Баффина|Baffin Körfezi|バフィン湾|巴芬湾|خليج بافن|배핀만|बैफ़िन की खाड़ी|море Баффіна
Bay of Bengal|Golf von Bengalen|Golfe du Bengale|Golfo de Bengala|Golfo del Bengala|Golfo de Bengala|Golf van Bengalen|Bengaliska viken|Bengalinlahti|Zatoka Bengalska|Bengálský záliv|Бенгальский залив|Bengal Körfezi|ベンガル湾|孟加拉湾|خليج البنغال|벵골만|बंगाल की खाड़ी|Бенгальська затока
Beaufort Sea|Beaufortsee|Mer de Beaufort|Mar de Beaufort|Mare di Beaufort|Mar de Beaufort|Beaufortzee|Beauforthavet|Beaufortinmeri|Morze Beauforta|Beaufortovo moře|море Бофорта|Beaufort Denizi|ボーフォート海|波弗特海|بحر بوفورت|보퍼트해|ब्यूफोर्ट सागर|море Бофорта
Black Sea|Schwarzes Meer|Mer Noire|Mar Negro|Mar Nero|Mar Negro|Zwarte Zee|Svarta havet|Mustameri|Morze Czarne|Černé moře|Чёрное море|Karadeniz|黒海|黑海|البحر الأسود|흑해|काला सागर|Чорне море
Caribbean Sea|Karibisches Meer|Mer des Caraïbes|Mar Caribe|Mar dei Caraibi|Mar do Caribe|Caribische Zee|Karibiska havet|Karibianmeri|Morze Karaibskie|Karibské moře|Карибское море|Karayip Denizi|カリブ海|加勒比海|البحر الكاريبي|카리브해|कैरिबियन सागर|Карибське море
Caspian Sea|Kaspisches Meer|Mer Caspienne|Mar Caspio|Mar Caspio|Mar Cáspio|Kaspische Zee|Kaspiska havet|Kaspianmeri|Morze Kaspijskie|Kaspické moře|Каспийское море|Hazar Denizi|カスピ海|里海|بحر قزوين|카스피해|कैस्पियन सागर|Каспійське море
Coral Sea|Korallenmeer|Mer de Corail|Mar del Coral|Mar dei Coralli|Mar de Coral|Koraalzee|Korallhavet|Korallimeri|Morze Koralowe|Korálové moře|Коралловое море|Mercan Denizi|珊瑚海|珊瑚海|بحر المرجان|산호해|कोरल सागर|Коралове море
Gulf of Alaska|Golf von Alaska|Golfe d’Alaska|Golfo de Alaska|Golfo dell’Alaska|Golfo do Alasca|Golf van Alaska|Alaskagolfen|Alaskanlahti|Zatoka Alaska|Aljašský záliv|залив Аляска|Alaska Körfezi|アラスカ湾|阿拉斯加湾|خليج ألاسكا|알래스카만|अलास्का की खाड़ी|затока Аляска
Gulf of Mexico|Golf von Mexiko|Golfe du Mexique|Golfo de México|Golfo del Messico|Golfo do México|Golf van Mexico|Mexikanska golfen|Meksikonlahti|Zatoka Meksykańska|Mexický záliv|Мексиканский залив|Meksika Körfezi|メキシコ湾|墨西哥湾|خليج المكسيك|멕시코만|मेक्सिको की खाड़ी|Мексиканська затока
Hudson Bay|Hudson Bay|Baie d’Hudson|Bahía de Hudson|Baia di Hudson|Baía de Hudson|Hudsonbaai|Hudson Bay|Hudsoninlahti|Zatoka Hudsona|Hudsonův záliv|Гудзонов залив|Hudson Körfezi|ハドソン湾|哈得孙湾|خليج هدسون|허드슨만|हडसन की खाड़ी|Гудзонова затока
Labrador Sea|Labradorsee|Mer du Labrador|Mar del Labrador|Mare del Labrador|Mar do Labrador|Labradorzee|Labradorhavet|Labradorinmeri|Morze Labradorskie|Labradorské moře|море Лабрадор|Labrador Denizi|ラブラドル海|拉布拉多海|بحر لابرادور|래브라도해|लैब्राडोर सागर|море Лабрадор
Mediterranean Sea|Mittelmeer|Mer Méditerranée|Mar Mediterráneo|Mar Mediterraneo|Mar Mediterrâneo|Middellandse Zee|Medelhavet|Välimeri|Morze Śródziemne|Středozemní moře|Средиземное море|Akdeniz|地中海|地中海|البحر الأبيض المتوسط|지중해|भूमध्य सागर|Середземне море
Persian Gulf|Persischer Golf|Golfe Persique|Golfo Pérsico|Golfo Persico|Golfo Pérsico|Perzische Golf|Persiska viken|Persianlahti|Zatoka Perska|Perský záliv|Персидский залив|Basra Körfezi|ペルシア湾|波斯湾|الخليج العربي|페르시아만|फ़ारस की खाड़ी|Перська затока
Philippine Sea|Philippinensee|Mer des Philippines|Mar de Filipinas|Mare delle Filippine|Mar das Filipinas|Filipijnenzee|Filippinska havet|Filippiinienmeri|Morze Filipińskie|Filipínské moře|Филиппинское море|Filipin Denizi|フィリピン海|菲律宾海|بحر الفلبين|필리핀해|फ़िलीपीन सागर|Філіппінське море
Red Sea|Rotes Meer|Mer Rouge|Mar Rojo|Mar Rosso|Mar Vermelho|Rode Zee|Röda havet|Punainenmeri|Morze Czerwone|Rudé moře|Красное море|Kızıldeniz|紅海|红海|البحر الأحمر|홍해|लाल सागर|Червоне море
Ross Sea|Rossmeer|Mer de Ross|Mar de Ross|Mare di Ross|Mar de Ross|Rosszee|Rosshavet|Rossinmeri|Morze Rossa|Rossovo moře|море Росса|Ross Denizi|ロス海|罗斯海|بحر روس|로스해|रॉस सागर|море Росса
Sea of Japan|Japanisches Meer|Mer du Japon|Mar del Japón|Mar del Giappone|Mar do Japão|Japanse Zee|Japanska havet|Japaninmeri|Morze Japońskie|Japonské moře|Японское море|Japon Denizi|日本海|日本海|بحر اليابان|동해|जापान सागर|Японське море
Sea of Okhotsk|Ochotskisches Meer|Mer d’Okhotsk|Mar de Ojotsk|Mare di Ochotsk|Mar de Okhotsk|Zee van Ochotsk|Ochotska havet|Ohotanmeri|Morze Ochockie|Ochotské moře|Охотское море|Ohotsk Denizi|オホーツク海|鄂霍次克海|بحر أوخوتسك|오호츠크해|ओखोट्स्क सागर|Охотське море
South China Sea|Südchinesisches Meer|Mer de Chine méridionale|Mar de China Meridional|Mar Cinese Meridionale|Mar da China Meridional|Zuid-Chinese Zee|Sydkinesiska havet|Etelä-Kiinan meri|Morze Południowochińskie|Jihočínské moře|Южно-Китайское море|Güney Çin Denizi|南シナ海|南海|بحر الصين الجنوبي|남중국해|दक्षिण चीन सागर|Південнокитайське море
Tasman Sea|Tasmansee|Mer de Tasman|Mar de Tasmania|Mar di Tasman|Mar da Tasmânia|Tasmanzee|Tasmanhavet|Tasmaninmeri|Morze Tasmana|Tasmanovo moře|Тасманово море|Tasman Denizi|タスマン海|塔斯曼海|بحر تسمان|태즈먼해|तस्मान सागर|Тасманове море
Weddell Sea|Weddellmeer|Mer de Weddell|Mar de Weddell|Mare di Weddell|Mar de Weddell|Weddellzee|Weddellhavet|Weddellinmeri|Morze Weddella|Weddellovo moře|море Уэдделла|Weddell Denizi|ウェッデル海|威德尔海|بحر ويديل|웨들해|वेडेल सागर|море Ведделла
""".strip().splitlines()}


def sea_names(name):
    """The names of a sea by language."""
    return dict(zip(SEA_LANGUAGES, SEAS.get(name, ())))
