"""Values that parsers get wrong."""

NUMBERS = [
    "0", "1", "-1", "-0", "+3", "007", "0.5", "-0.5", "1.5", ".5", "5.", "22", "24", "25", "30", "85", "90",
    "91", "180", "-180", "181", "360", "540", "541", "255", "256", "65535", "65536", "4294967295",
    "4294967296", "9223372036854775807", "9223372036854775808", "-9223372036854775808",
    "18446744073709551615", "18446744073709551616", "99999999999999999999", "1e3", "1e-300", "1e308",
    "1e400", "nan", "inf", "-inf", "0x10", "1_0", "1,5", " 5", "5 ", "--1", "", "a", "٣"]

TEXTS = [
    "", "a", "x y", "é", "e\u0301", "Weiße Straße", "🏔", "🇨🇭", "👨‍👩‍👧", "ﬃ", "İ", "\u0301", "\u200d", "\u2028", "\u2029", "\ue000", "\u0378", "\u00a0", "\ufeff",
    "\0", "\x01", "\x7f", "\t", "\n", "\r", "\r\n", "x" * 300, "é" * 501, "x" * 1001, "x" * 5000,
    '"', "'", "\\", "{", "}", "[", "]", "<", ">", "&", "%", "#", "@", ",", ";", ":", "/", "..", "=", "-", "_",
    "<b>a</b>", '<a href="x">y</a>', "<br/>a<p>b", "<!-- c -->", "<script>x</script>", "</", "<a", "&amp;",
    "&#233;", "&#x1F3D4;", "&#0;", "&#xD800;", "&#99999999999;", "&bogus;", "&copy", "&lt;b&gt;",
    "<![CDATA[", "]]>", "/a/b", "a/../b", "{z}/{x}/{y}", "{-y}{q}{s}{scale}", "https://a.org/{z}",
    "2027-06-01T18:00:00Z", "2026-02-30T25:61:00+99:00", "#fff", "#ff000080", "red", "de-CH", "zh-Hans",
    "true", "null"]

BYTES = [b"\0", b"\xff", b"\xc3", b"\xed\xa0\x80", b"\xf8\x88\x80\x80\x80", b"\xef\xbb\xbf", b"\x80"]


def damaged(random, data, chance=0.1):
    """`data`, now and then cut off or with a byte changed."""
    if not data or random.random() >= chance:
        return data
    place = random.randrange(len(data))
    if random.random() < 0.4:
        return data[:place]
    return data[:place] + bytes([random.randrange(256)]) + data[place + random.randint(0, 1):]
