# Copyright Waypost contributors. Licence: Apache-2.0.
"""How each schema calls what trailhead draws: source layer and filter, for each of the style's layers.

Protomaps: https://docs.protomaps.com/basemaps/layers; OpenMapTiles: https://openmaptiles.org/schema;
Shortbread: https://shortbread-tiles.org/schema; Natural Earth: our own, natural-earth.py.
A third item is the first zoom at which the layer is drawn.
"""
from natural_earth_order import PLACES


def one(field, *values):
    return ["==", field, values[0]] if len(values) == 1 else ["in", field, ["literal", list(values)]]


def get(name):
    return ["get", name]


def is_(name):
    return ["==", get(name), True]


def not_(rule):
    return ["!", rule]


def both(*rules):
    return ["all", *rules]


def names(*fields):
    return ["coalesce", *[get(f) for f in fields]]


LINE = ["==", ["geometry-type"], "LineString"]
AREA = ["==", ["geometry-type"], "Polygon"]
POINT = ["==", ["geometry-type"], "Point"]

ROADS = {
    "motorway": ["motorway", "motorway_link"], "trunk": ["trunk", "trunk_link"],
    "primary": ["primary", "primary_link"],
    "secondary": ["secondary", "secondary_link"], "tertiary": ["tertiary", "tertiary_link"],
    "minor": ["residential", "unclassified", "living_street", "road", "busway", "raceway", "minor_road"],
    "service": ["service", "alley", "driveway", "parking_aisle"],
}
MAJOR = [value for kind in ("motorway", "trunk", "primary", "secondary", "tertiary") for value in ROADS[kind]]
CARS = [value for values in ROADS.values() for value in values]
MINOR = ROADS["minor"] + ["service", "pedestrian"]
PATHS, FOOTWAYS = ("path", "bridleway"), ("footway", "pedestrian", "corridor")
TRAILS = (*PATHS, "way", "track")


def road_layers(layer, field, tunnel, bridge, roads=ROADS):
    """Roads on the ground, in tunnels and on bridges, and the ways for walkers."""
    every = one(field, *[v for values in roads.values() for v in values])
    return {
        "road-class": field, "road-classes": roads,
        "road": (layer, both(every, not_(tunnel), not_(bridge))), "road-far": (layer, every),
        "road-tunnel": (layer, both(every, tunnel)),
        "road-bridge": (layer, both(every, bridge)),
        **trail_layers("", layer, field, not_(bridge), not_(tunnel)),
        **trail_layers("-bridge", layer, field, bridge, bridge),
    }


def trail_layers(end, layer, field, rule, rule_in_towns):
    """Ways for walkers on the ground or on bridges. Pavements and steps in tunnels belong to buildings and stations."""
    def way(*kinds, rule=rule):
        return (layer, both(LINE, one(field, *kinds), rule))

    in_towns = rule if rule == rule_in_towns else both(rule, rule_in_towns)
    return {
        "trail" + end: way(*PATHS, "track", "cycleway", "steps"),
        "path" + end: way(*PATHS),
        "track" + end: way("track"),
        "way" + end: way("way") if isinstance(field, list) and "case" in field else None,
        "footway" + end: way(*FOOTWAYS, rule=in_towns),
        "cycleway" + end: way("cycleway"),
        "steps" + end: way("steps", rule=in_towns),
    }


def rail_layers(layer, rule, tunnel):
    """Railway lines, those in tunnels apart."""
    return {"rail": (layer, both(rule, not_(tunnel))), "rail-tunnel": (layer, both(rule, tunnel))}


def city_layers(layer, city, capital, great):
    """Cities, and with the capitals those that are as great as they."""
    first = ["any", capital, great if city is True else both(city, great)]
    return {"city": (layer, not_(first) if city is True else both(city, not_(first))), "capital": (layer, first),
            "is-capital": capital}


POI_ICONS = {
    "hut": ["alpine_hut", "wilderness_hut"],
    "shelter": ["shelter"],
    "camp": ["camp_site", "caravan_site"],
    "viewpoint": ["viewpoint"],
    "information": ["information", "visitor_centre"],
    "station": ["station", "halt"],
    "hospital": ["hospital"],
    "water": ["drinking_water", "spring"],
    "toilets": ["toilets"],
    "parking": ["parking"],
    "picnic": ["picnic_site"],
}

# Where the kind of information is known: not boards, maps and guideposts, of which a town has dozens.
POI_ICONS_BY_KIND = {**POI_ICONS, "information": [*POI_ICONS["information"], "office"]}

TRAMS = ("tram", "light_rail", "monorail", "subway")
K, D = get("kind"), get("kind_detail")
PARKS = ("national_park", "nature_reserve", "park", "forest")
GREAT = ["<=", ["coalesce", get("min_zoom"), 99], 10]  # the zoom from which Protomaps would name it
PROTOMAPS_NAME = names("name:{language}", "name")
PROTOMAPS = {
    "name": PROTOMAPS_NAME,
    "land": ("earth", AREA),
    "farmland": [("landcover", one(K, "farmland")), ("landuse", one(K, "farmland", "meadow", "orchard"))],
    "residential": ("landuse", one(K, "residential", "commercial", "retail", "school", "university", "college",
                                   "hospital", "kindergarten")),
    "industrial": ("landuse", one(K, "industrial", "railway", "military", "aerodrome", "airfield")),
    "urban": ("landcover", one(K, "urban_area")),
    "sand": [("landcover", one(K, "barren")), ("landuse", one(K, "sand", "beach"))],
    "grass": [("landcover", one(K, "grassland")),
              ("landuse", one(K, "grass", "grassland", "meadow", "village_green", "golf_course", "garden", "park",
                              "pitch", "playground", "recreation_ground", "cemetery", "zoo", "dog_park"))],
    "scrub": [("landcover", one(K, "scrub")), ("landuse", one(K, "scrub", "heath"))],
    "wood": [("landcover", one(K, "forest")), ("landuse", one(K, "wood", "forest"))],
    "wetland": ("landuse", one(K, "wetland")),
    "rock": ("landuse", one(K, "bare_rock", "scree", "rock")),
    "glacier": [("landcover", one(K, "glacier")), ("landuse", one(K, "glacier"))],
    "park": ("landuse", one(K, "national_park", "nature_reserve", "protected_area")),
    "water": ("water", AREA),
    "waterway": ("water", both(LINE, one(K, "river", "canal"))),
    "stream": ("water", both(LINE, one(K, "stream", "drain", "ditch"))),
    "pier": ("landuse", one(K, "pier")),
    "pedestrian": ("landuse", one(K, "pedestrian", "platform")),
    "aeroway-area": None,
    "runway": ("roads", one(D, "runway", "taxiway")),
    "building": ("buildings", both(AREA, one(K, "building"))),
    **road_layers("roads", D, is_("is_tunnel"), is_("is_bridge")),
    "link": ["has", "is_link"],
    "oneway": ("roads", both(LINE, one(get("oneway"), "yes"), one(D, *CARS))),
    "oneway-back": ("roads", both(LINE, one(get("oneway"), "-1"), one(D, *CARS))),
    "pier-line": ("roads", one(D, "pier")),
    **rail_layers("roads", both(one(K, "rail"), not_(one(D, "service", *TRAMS)), not_(["has", "service"])),
                  is_("is_tunnel")),
    "tram": ("roads", both(one(K, "rail"), one(D, *TRAMS), not_(is_("is_tunnel")), not_(["has", "service"]))),
    "aerialway": ("roads", one(K, "aerialway")),
    "ferry": ("roads", one(K, "ferry")),
    "border-country": ("boundaries", both(one(K, "country"), not_(is_("disputed")))),
    "border-disputed": ("boundaries", both(one(K, "country", "unrecognized_country"), is_("disputed"))),
    "border-state": ("boundaries", one(K, "region")),
    "trail-name": ("roads", one(D, *TRAILS)),
    "minor-name": ("roads", one(D, *MINOR)),
    "major-name": ("roads", one(D, *MAJOR)),
    "ref": get("shield_text"),
    "shield": ("roads", both(["has", "shield_text"], ["<=", ["length", get("shield_text")], 6],
                             one(D, "motorway", "trunk", "primary"))),
    "waterway-name": ("water", both(LINE, one(K, "river", "canal", "stream"))),
    "water-name": ("water", both(POINT, one(K, "lake", "water", "reservoir", "bay", "strait", "fjord", "basin"))),
    "sea-name": ("water", both(POINT, one(K, "ocean", "sea"))), "sea-large": one(K, "ocean"),
    "park-name": [("pois", both(one(K, *PARKS), not_(GREAT)), 12), ("pois", both(one(K, *PARKS), GREAT))],
    "peak": ("pois", one(K, "peak", "volcano")), "elevation": "elevation",
    "poi-layer": "pois", "poi-field": K, "poi-icons": POI_ICONS,
    "place-rank": ["-", 0, ["coalesce", get("population_rank"), 0]],
    "suburb": ("places", one(D, "suburb", "neighbourhood", "quarter")),
    "hamlet": ("places", one(D, "hamlet", "isolated_dwelling", "locality")),
    "village": ("places", one(D, "village")),
    "town": ("places", one(D, "town")),
    **city_layers("places", one(D, "city"), both(one(D, "city", "town"), one(get("capital"), "yes")),
                  [">=", ["coalesce", get("population_rank"), 0], 14]),
    "state": ("places", one(K, "region")),
    "country": ("places", one(K, "country")),
}

LARGEST = ("RU", "CA", "CN", "US", "BR", "AU", "IN", "AR", "KZ", "DZ", "CD", "SA", "MX", "ID")  # countries by area
C, S = get("class"), get("subclass")
# tilemaker's example writes no subclass: what is paved is a footway there, all else a way of unknown kind.
OMT_KIND = ["case", one(C, "path"), ["coalesce", S, ["case", one(get("surface"), "paved"), "footway", "way"]],
            one(C, "track"), ["coalesce", S, C], C]
OPENMAPTILES_NAME = names("name:{language}", "name_{language}", "name:{script}", "name", "name:latin")
OMT_ROADS = {
    "motorway": ["motorway"], "trunk": ["trunk"], "primary": ["primary"], "secondary": ["secondary"], "tertiary": ["tertiary"],
    "minor": ["minor", "busway", "raceway"], "service": ["service"],
}
OMT_CARS = [value for values in OMT_ROADS.values() for value in values]
OPENMAPTILES = {
    "name": OPENMAPTILES_NAME,
    "farmland": ("landcover", one(C, "farmland")),
    "residential": ("landuse", one(C, "residential", "suburb", "neighbourhood", "commercial", "retail", "school",
                                   "university", "college", "hospital", "kindergarten")),
    "industrial": ("landuse", one(C, "industrial", "railway", "military", "garages")),
    "sand": ("landcover", one(C, "sand")),
    "grass": [("landcover", one(C, "grass")), ("landuse", one(C, "cemetery", "pitch", "playground", "zoo", "track"))],
    "scrub": ("landcover", one(S, "scrub", "heath")),
    "wood": ("landcover", one(C, "wood")),
    "wetland": ("landcover", one(C, "wetland")),
    "rock": ("landcover", one(C, "rock", "bare_rock", "scree")),
    "glacier": ("landcover", one(C, "ice")),
    "park": ("park", AREA),
    "water": ("water", not_(one(get("brunnel"), "tunnel"))),
    "waterway": ("waterway", both(one(C, "river", "canal"), not_(one(get("brunnel"), "tunnel")))),
    "stream": ("waterway", both(one(C, "stream", "drain", "ditch"), not_(one(get("brunnel"), "tunnel")))),
    "pier": ("transportation", both(AREA, one(C, "pier"))),
    "pier-line": ("transportation", both(LINE, one(C, "pier"))),
    "aeroway-area": ("aeroway", AREA),
    "runway": ("aeroway", both(LINE, one(C, "runway", "taxiway"))),
    "pedestrian": ("transportation", both(AREA, one(C, "path"))),
    "building": ("building", None),
    **road_layers("transportation", OMT_KIND, one(get("brunnel"), "tunnel"), one(get("brunnel"), "bridge"),
                  OMT_ROADS),
    "road-class": C,
    "link": ["==", get("ramp"), 1],
    "oneway": ("transportation", both(LINE, one(get("oneway"), 1), one(C, *OMT_CARS))),
    "oneway-back": ("transportation", both(LINE, one(get("oneway"), -1), one(C, *OMT_CARS))),
    **rail_layers("transportation", both(one(C, "rail"), not_(["has", "service"])), one(get("brunnel"), "tunnel")),
    "tram": ("transportation", both(one(C, "transit"), not_(["has", "service"]), not_(one(get("brunnel"), "tunnel")))),
    "aerialway": ("transportation", one(C, "aerialway")),
    "ferry": ("transportation", one(C, "ferry")),
    "border-country": ("boundary", both(one(get("admin_level"), 2), not_(one(get("disputed"), 1)),
                                        not_(one(get("maritime"), 1)))),
    "border-disputed": ("boundary", both(one(get("admin_level"), 2), one(get("disputed"), 1))),
    "border-state": ("boundary", both(one(get("admin_level"), 4), not_(one(get("maritime"), 1)))),
    "trail-name": ("transportation_name", one(OMT_KIND, *TRAILS)),
    "minor-name": ("transportation_name", one(C, "minor", "service")),
    "major-name": ("transportation_name", one(C, "motorway", "trunk", "primary", "secondary", "tertiary")),
    "ref": get("ref"),
    "shield": ("transportation_name", both(["has", "ref"], ["<=", ["length", get("ref")], 6],
                                           one(C, "motorway", "trunk", "primary"))),
    "waterway-name": ("waterway", LINE),
    "water-name": ("water_name", one(C, "lake", "bay", "strait", "reservoir")),
    "sea-name": ("water_name", one(C, "ocean", "sea")), "sea-large": one(C, "ocean"),
    "park-name": ("park", ["has", "rank"]),
    "peak": ("mountain_peak", one(C, "peak", "volcano")), "elevation": "ele",
    # A place for information has its kind as subclass, and none if that is unknown.
    "poi-layer": "poi", "poi-field": ["coalesce", S, C], "poi-icons": {**POI_ICONS_BY_KIND, "station": ["station"]},
    "place-rank": get("rank"),
    "suburb": ("place", one(C, "suburb", "quarter", "neighbourhood")),
    "hamlet": ("place", one(C, "hamlet", "isolated_dwelling", "island")),
    "village": ("place", one(C, "village")),
    "town": ("place", one(C, "town")),
    **city_layers("place", one(C, "city"), both(one(C, "city", "town"), one(get("capital"), 2)),
                  ["<=", ["coalesce", get("rank"), 99], 2]),
    "capital-first": ("place", both(one(C, "city"), ["<=", ["coalesce", get("rank"), 99], 2])),
    "state": ("place", one(C, "state", "province")),
    "country": ("place", one(C, "country")), "country-rank": get("rank"),
    "country-small": [">", ["to-number", get("rank"), 0], 2],
    "country-large": ("place", both(one(C, "country"), one(get("iso_a2"), *LARGEST))),
}

SB_POI = names("information", "tourism", "amenity", "natural")
SHORTBREAD = {
    "name": names("name_{language}", "name"),
    "farmland": ("land", one(K, "farmland", "farmyard", "orchard", "vineyard", "greenhouse_horticulture",
                             "plant_nursery", "allotments")),
    "residential": ("land", one(K, "residential", "commercial", "retail", "garages")),
    "industrial": ("land", one(K, "industrial", "railway", "landfill", "quarry", "brownfield")),
    "sand": ("land", one(K, "sand", "beach")),
    "grass": ("land", one(K, "grass", "grassland", "meadow", "village_green", "golf_course", "garden", "park",
                          "playground", "recreation_ground", "cemetery", "miniature_golf", "grave_yard")),
    "scrub": ("land", one(K, "scrub", "heath")),
    "wood": ("land", one(K, "forest")),
    "wetland": ("land", one(K, "swamp", "bog", "string_bog", "wet_meadow", "marsh")),
    "rock": ("land", one(K, "bare_rock", "scree", "shingle")),
    "park": None,
    "water": [("ocean", None), ("water_polygons", not_(one(K, "glacier")))],
    "glacier": ("water_polygons", one(K, "glacier")),
    "waterway": ("water_lines", both(one(K, "river", "canal"), not_(is_("tunnel")))),
    "stream": ("water_lines", both(one(K, "stream", "ditch"), not_(is_("tunnel")))),
    "pier": ("pier_polygons", None),
    "pier-line": ("pier_lines", None),
    "runway": ("streets", one(K, "runway", "taxiway")),
    "pedestrian": ("street_polygons", one(K, "pedestrian", "service")),
    "building": ("buildings", None),
    **road_layers("streets", K, is_("tunnel"), is_("bridge")),
    "link": is_("link"),
    "oneway": ("streets", both(is_("oneway"), not_(is_("oneway_reverse")), one(K, *CARS))),
    "oneway-back": ("streets", both(is_("oneway_reverse"), one(K, *CARS))),
    **rail_layers("streets", both(one(K, "rail", "narrow_gauge", "funicular"), not_(["has", "service"])), is_("tunnel")),
    "tram": ("streets", both(one(K, "tram", "light_rail", "monorail", "subway"), not_(["has", "service"]),
                             not_(is_("tunnel")))),
    "aerialway": ("aerialways", None),
    "ferry": ("ferries", None),
    "border-country": ("boundaries", both(one(get("admin_level"), 2), not_(is_("disputed")), not_(is_("maritime")))),
    "border-disputed": ("boundaries", both(one(get("admin_level"), 2), is_("disputed"))),
    "border-state": ("boundaries", both(one(get("admin_level"), 4), not_(is_("maritime")))),
    "trail-name": ("street_labels", one(K, *TRAILS)),
    "minor-name": ("street_labels", one(K, *MINOR)),
    "major-name": ("street_labels", one(K, *MAJOR)),
    "ref": get("ref"),
    "shield": ("street_labels", both(["has", "ref"], ["<=", ["length", get("ref")], 6],
                                     one(K, "motorway", "trunk", "primary"))),
    "waterway-name": ("water_lines_labels", one(K, "river", "canal", "stream")),
    "water-name": ("water_polygons_labels", None),
    "station": ("public_transport", one(K, "station", "halt")),
    "poi-layer": "pois", "poi-field": SB_POI,
    "poi-icons": POI_ICONS_BY_KIND,
    "place-rank": ["-", 0, ["coalesce", get("population"), 0]],
    "suburb": ("place_labels", one(K, "suburb", "quarter", "neighbourhood")),
    "hamlet": ("place_labels", one(K, "hamlet", "isolated_dwelling", "island")),
    "village": ("place_labels", one(K, "village")),
    "town": ("place_labels", one(K, "town")),
    **city_layers("place_labels", one(K, "city", "state_capital"), one(K, "capital"),
                  [">=", ["coalesce", get("population"), 0], 5_000_000]),
    "state": ("boundary_labels", one(get("admin_level"), 4)),
    "country": ("boundary_labels", one(get("admin_level"), 2)),
    "country-rank": ["-", 0, ["coalesce", get("way_area"), 0]],
    "country-small": ["<", ["to-number", get("way_area"), 1e12], 1e11],
}

NATURALEARTH = {
    "name": names("name:{language}", "name"),
    "sand": ("playa", None),
    "urban": ("urban", None, 4),
    "glacier": ("ice", None),
    "water": ("water", None), "shelf": ("water", one(C, "ocean")), "shore": ("water", one(C, "ocean")),
    "graticule": ("graticule", None),
    "waterway": ("river", None, 3),
    "border-country": ("admin", both(one(get("admin_level"), 0), one(C, "boundary"))),
    "border-disputed": ("admin", both(one(get("admin_level"), 0), not_(one(C, "boundary")))),
    "border-state": ("admin", one(get("admin_level"), 1)),
    "road-line": ("road", one(C, "freeway", "primary"), 5),
    "ferry": ("road", one(C, "ferry"), 5),
    "waterway-name": ("river", ["has", "name"]),
    "sea-name": ("marine_label", None), "sea-large": one(get("type"), "ocean"),
    "place-rank": ["coalesce", get("rank"), get("scalerank")],
    **city_layers("place_label", True, is_("capital"), ["<", ["coalesce", get("rank"), 99], 30]),
    "state": ("state_label", None),
    # Parts of countries that the list lacks, such as bases and glaciers, need a map of their surroundings.
    "country": ("country_label", ["any", [">=", ["zoom"], 4], ["<", get("order"), PLACES["Hong Kong"]]]),
    "country-rank": ["+", ["*", get("labelrank"), 100], get("order")],
    "country-small": [">=", get("order"), 90],
    "country-large": ("country_label", ["<", get("order"), 16]),
}

SCHEMAS = {
    "protomaps": PROTOMAPS, "openmaptiles": OPENMAPTILES, "shortbread": SHORTBREAD, "naturalearth": NATURALEARTH,
}
