# Copyright Waypost contributors. Licence: Apache-2.0.
"""Names of the bundled world's cities that CLDR does not have: our own table."""

# One line a city: its name in the map, then language=name where that differs.
CITY_NAMES = """
Mumbai|ar=مومباي|cs=Bombaj|el=Βομβάη|es=Bombay|hi=मुंबई|ja=ムンバイ|ko=뭄바이|pl=Mumbaj|ru=Мумбаи|uk=Мумбаї|zh=孟买
São Paulo|ar=ساو باولو|el=Σάο Πάολο|hi=साओ पाउलो|it=San Paolo|ja=サンパウロ|ko=상파울루|ru=Сан-Паулу|uk=Сан-Паулу|zh=圣保罗
Rio de Janeiro|ar=ريو دي جانيرو|el=Ρίο ντε Τζανέιρο|es=Río de Janeiro|hi=रियो डी जेनेरो|ja=リオデジャネイロ|ko=리우데자네이루|ru=Рио-де-Жанейро|uk=Ріо-де-Жанейро|zh=里约热内卢
Beijing|ar=بكين|cs=Peking|de=Peking|el=Πεκίνο|es=Pekín|fr=Pékin|hi=बीजिंग|it=Pechino|ja=北京|ko=베이징|nl=Peking|pl=Pekin|pt=Pequim|ru=Пекин|sv=Peking|tr=Pekin|uk=Пекін|zh=北京
Washington, D.C.|ar=واشنطن|cs=Washington|de=Washington|el=Ουάσινγκτον|fr=Washington|hi=वॉशिंगटन|it=Washington|ja=ワシントン|ko=워싱턴|nl=Washington|pl=Waszyngton|ru=Вашингтон|uk=Вашингтон|zh=华盛顿
Cape Town|ar=كيب تاون|cs=Kapské Město|de=Kapstadt|el=Κέιπ Τάουν|es=Ciudad del Cabo|fr=Le Cap|hi=केप टाउन|it=Città del Capo|ja=ケープタウン|ko=케이프타운|nl=Kaapstad|pl=Kapsztad|pt=Cidade do Cabo|ru=Кейптаун|sv=Kapstaden|uk=Кейптаун|zh=开普敦
Buenos Aires|ar=بوينس آيرس|el=Μπουένος Άιρες|hi=ब्यूनस आयर्स|ja=ブエノスアイレス|ko=부에노스아이레스|ru=Буэнос-Айрес|uk=Буенос-Айрес|zh=布宜诺斯艾利斯
Osaka|ar=أوساكا|cs=Ósaka|el=Οσάκα|hi=ओसाका|ja=大阪|ko=오사카|ru=Осака|uk=Осака|zh=大阪
Bangalore|ar=بنغالور|cs=Bengalúr|el=Μπανγκαλόρ|hi=बेंगलुरु|ja=ベンガルール|ko=벵갈루루|ru=Бангалор|uk=Бангалор|zh=班加罗尔
Miami|ar=ميامي|el=Μαϊάμι|hi=मियामी|ja=マイアミ|ko=마이애미|ru=Майами|uk=Маямі|zh=迈阿密
Atlanta|ar=أتلانتا|el=Ατλάντα|hi=अटलांटा|ja=アトランタ|ko=애틀랜타|ru=Атланта|uk=Атланта|zh=亚特兰大
Houston|ar=هيوستن|el=Χιούστον|hi=ह्यूस्टन|ja=ヒューストン|ko=휴스턴|ru=Хьюстон|uk=Х’юстон|zh=休斯敦
Chengdu|ar=تشنغدو|cs=Čcheng-tu|hi=चेंगदू|ja=成都|ko=청두|ru=Чэнду|uk=Ченду|zh=成都
San Francisco|ar=سان فرانسيسكو|el=Σαν Φρανσίσκο|hi=सैन फ़्रांसिस्को|ja=サンフランシスコ|ko=샌프란시스코|pt=São Francisco|ru=Сан-Франциско|uk=Сан-Франциско|zh=旧金山
Geneva|ar=جنيف|cs=Ženeva|de=Genf|el=Γενεύη|es=Ginebra|fr=Genève|hi=जिनेवा|it=Ginevra|ja=ジュネーヴ|ko=제네바|nl=Genève|pl=Genewa|pt=Genebra|ru=Женева|sv=Genève|tr=Cenevre|uk=Женева|zh=日内瓦
New Delhi|ar=نيودلهي|cs=Nové Dillí|de=Neu-Delhi|el=Νέο Δελχί|es=Nueva Delhi|hi=नई दिल्ली|it=Nuova Delhi|ja=ニューデリー|ko=뉴델리|pl=Nowe Delhi|pt=Nova Deli|ru=Нью-Дели|tr=Yeni Delhi|uk=Нью-Делі|zh=新德里
Delhi|ar=دلهي|cs=Dillí|el=Δελχί|hi=दिल्ली|ja=デリー|ko=델리|ru=Дели|uk=Делі|zh=德里
Guangzhou|ar=غوانزو|cs=Kanton|es=Cantón|fr=Canton|it=Canton|ja=広州|ko=광저우|pl=Kanton|pt=Cantão|ru=Гуанчжоу|uk=Гуанчжоу|zh=广州
Shenzhen|ar=شنجن|cs=Šen-čen|ja=深圳|ko=선전|ru=Шэньчжэнь|uk=Шеньчжень|zh=深圳
Wuhan|ar=ووهان|cs=Wu-chan|el=Γουχάν|hi=वूहान|ja=武漢|ko=우한|ru=Ухань|tr=Vuhan|uk=Ухань|zh=武汉
Tianjin|ar=تيانجين|cs=Tchien-ťin|el=Τιαντζίν|ja=天津|ko=톈진|pl=Tiencin|ru=Тяньцзинь|uk=Тяньцзінь|zh=天津
Chennai|ar=تشيناي|cs=Čennaí|el=Τσενάι|hi=चेन्नई|ja=チェンナイ|ko=첸나이|ru=Ченнаи|uk=Ченнаї|zh=金奈
Lahore|ar=لاهور|cs=Láhaur|el=Λαχώρη|hi=लाहौर|ja=ラホール|ko=라호르|ru=Лахор|tr=Lahor|uk=Лахор|zh=拉合尔
Chongqing|ar=تشونغتشينغ|cs=Čchung-čching|ja=重慶|ko=충칭|ru=Чунцин|uk=Чунцін|zh=重庆
Hyderabad|ar=حيدر آباد|cs=Hajdarábád|el=Χαϊντεραμπάντ|hi=हैदराबाद|ja=ハイデラバード|ko=하이데라바드|ru=Хайдарабад|tr=Haydarabad|uk=Гайдарабад|zh=海得拉巴
Philadelphia|ar=فيلادلفيا|cs=Filadelfie|el=Φιλαδέλφεια|es=Filadelfia|fr=Philadelphie|hi=फ़िलाडेल्फ़िया|it=Filadelfia|ja=フィラデルフィア|ko=필라델피아|pl=Filadelfia|pt=Filadélfia|ru=Филадельфия|uk=Філадельфія|zh=费城
Ahmedabad|ar=أحمد آباد|cs=Ahmadábád|el=Αχμενταμπάντ|hi=अहमदाबाद|ja=アフマダーバード|ko=아마다바드|ru=Ахмадабад|uk=Ахмадабад|zh=艾哈迈达巴德
Ho Chi Minh City|ar=مدينة هو تشي منه|cs=Ho Či Minovo Město|de=Ho-Chi-Minh-Stadt|el=Πόλη Χο Τσι Μινχ|es=Ciudad Ho Chi Minh|fr=Hô-Chi-Minh-Ville|hi=हो ची मिन्ह नगर|it=Ho Chi Minh|ja=ホーチミン|ko=호찌민|nl=Ho Chi Minhstad|pl=Ho Chi Minh|pt=Cidade de Ho Chi Minh|ru=Хошимин|sv=Ho Chi Minh-staden|uk=Хошимін|zh=胡志明市
Barcelona|ar=برشلونة|el=Βαρκελώνη|fr=Barcelone|hi=बार्सिलोना|it=Barcellona|ja=バルセロナ|ko=바르셀로나|ru=Барселона|tr=Barselona|uk=Барселона|zh=巴塞罗那
Dallas|ar=دالاس|el=Ντάλας|hi=डैलस|ja=ダラス|ko=댈러스|ru=Даллас|uk=Даллас|zh=达拉斯
Shenyang|ar=شنيانغ|cs=Šen-jang|ja=瀋陽|ko=선양|ru=Шэньян|uk=Шеньян|zh=沈阳
Pune|ar=بونه|hi=पुणे|ja=プネー|ko=푸네|ru=Пуна|uk=Пуне|zh=浦那
St. Petersburg|ar=سانت بطرسبرغ|cs=Petrohrad|de=Sankt Petersburg|el=Αγία Πετρούπολη|es=San Petersburgo|fr=Saint-Pétersbourg|hi=सेंट पीटर्सबर्ग|it=San Pietroburgo|ja=サンクトペテルブルク|ko=상트페테르부르크|nl=Sint-Petersburg|pl=Petersburg|pt=São Petersburgo|ru=Санкт-Петербург|sv=Sankt Petersburg|uk=Санкт-Петербург|zh=圣彼得堡
Chittagong|ar=شيتاغونغ|hi=चटगाँव|ja=チッタゴン|ko=치타공|ru=Читтагонг|uk=Читтагонг|zh=吉大港
Dongguan|ar=دونغوان|cs=Tung-kuan|ja=東莞|ko=둥관|ru=Дунгуань|uk=Дунгуань|zh=东莞
Boston|ar=بوسطن|el=Βοστώνη|hi=बोस्टन|ja=ボストン|ko=보스턴|ru=Бостон|uk=Бостон|zh=波士顿
Hanoi|ar=هانوي|cs=Hanoj|el=Ανόι|es=Hanói|fr=Hanoï|hi=हनोई|ja=ハノイ|ko=하노이|pt=Hanói|ru=Ханой|uk=Ханой|zh=河内
Guadalajara|ar=غوادالاخارا|el=Γουαδαλαχάρα|ja=グアダラハラ|ko=과달라하라|ru=Гвадалахара|uk=Гвадалахара|zh=瓜达拉哈拉
Alexandria|ar=الإسكندرية|cs=Alexandrie|el=Αλεξάνδρεια|es=Alejandría|fr=Alexandrie|it=Alessandria d’Egitto|ja=アレクサンドリア|ko=알렉산드리아|nl=Alexandrië|pl=Aleksandria|ru=Александрия|tr=İskenderiye|uk=Александрія|zh=亚历山大
Xi’an|ar=شيان|cs=Si-an|ja=西安|ko=시안|ru=Сиань|uk=Сіань|zh=西安
Porto Alegre|ar=بورتو أليغري|el=Πόρτο Αλέγκρε|ja=ポルトアレグレ|ko=포르투알레그리|ru=Порту-Алегри|uk=Порту-Алегрі|zh=阿雷格里港
Munich|ar=ميونخ|cs=Mnichov|de=München|el=Μόναχο|es=Múnich|hi=म्यूनिख|it=Monaco di Baviera|ja=ミュンヘン|ko=뮌헨|nl=München|pl=Monachium|pt=Munique|ru=Мюнхен|sv=München|tr=Münih|uk=Мюнхен|zh=慕尼黑
Milan|ar=ميلانو|cs=Milán|de=Mailand|el=Μιλάνο|es=Milán|hi=मिलान|it=Milano|ja=ミラノ|ko=밀라노|nl=Milaan|pl=Mediolan|pt=Milão|ru=Милан|sv=Milano|tr=Milano|uk=Мілан|zh=米兰
Naples|ar=نابولي|cs=Neapol|de=Neapel|el=Νάπολη|es=Nápoles|hi=नेपल्स|it=Napoli|ja=ナポリ|ko=나폴리|nl=Napels|pl=Neapol|pt=Nápoles|ru=Неаполь|sv=Neapel|tr=Napoli|uk=Неаполь|zh=那不勒斯
Hamburg|ar=هامبورغ|el=Αμβούργο|es=Hamburgo|fr=Hambourg|hi=हैम्बर्ग|it=Amburgo|ja=ハンブルク|ko=함부르크|pt=Hamburgo|ru=Гамбург|uk=Гамбург|zh=汉堡
Frankfurt|ar=فرانكفورت|el=Φρανκφούρτη|es=Fráncfort|fr=Francfort|hi=फ़्रैंकफ़र्ट|it=Francoforte|ja=フランクフルト|ko=프랑크푸르트|ru=Франкфурт|uk=Франкфурт|zh=法兰克福
Abu Dhabi|ar=أبوظبي|cs=Abú Zabí|el=Άμπου Ντάμπι|es=Abu Dabi|fr=Abou Dabi|hi=अबू धाबी|ja=アブダビ|ko=아부다비|pl=Abu Zabi|ru=Абу-Даби|tr=Abu Dabi|uk=Абу-Дабі|zh=阿布扎比
Abuja|ar=أبوجا|cs=Abudža|el=Αμπούτζα|es=Abuya|hi=अबुजा|ja=アブジャ|ko=아부자|pl=Abudża|ru=Абуджа|uk=Абуджа|zh=阿布贾
Aleppo|ar=حلب|el=Χαλέπι|es=Alepo|fr=Alep|hi=अलेप्पो|ja=アレッポ|ko=알레포|pt=Alepo|ru=Алеппо|tr=Halep|uk=Алеппо|zh=阿勒颇
Ankara|ar=أنقرة|el=Άγκυρα|hi=अंकारा|ja=アンカラ|ko=앙카라|pt=Ancara|ru=Анкара|uk=Анкара|zh=安卡拉
Astana|ar=أستانا|el=Αστανά|es=Astaná|hi=अस्ताना|ja=アスタナ|ko=아스타나|ru=Астана|uk=Астана|zh=阿斯塔纳
Bern|ar=برن|el=Βέρνη|es=Berna|fr=Berne|hi=बर्न|it=Berna|ja=ベルン|ko=베른|pl=Berno|pt=Berna|ru=Берн|uk=Берн|zh=伯尔尼
Brasilia|ar=برازيليا|cs=Brasília|de=Brasília|el=Μπραζίλια|fr=Brasília|hi=ब्रासीलिया|ja=ブラジリア|ko=브라질리아|pl=Brasília|pt=Brasília|ru=Бразилиа|sv=Brasília|uk=Бразиліа|zh=巴西利亚
Canberra|ar=كانبرا|el=Καμπέρα|hi=कैनबरा|ja=キャンベラ|ko=캔버라|ru=Канберра|tr=Kanberra|uk=Канберра|zh=堪培拉
Doha|ar=الدوحة|cs=Dauhá|el=Ντόχα|hi=दोहा|ja=ドーハ|ko=도하|ru=Доха|uk=Доха|zh=多哈
Durban|ar=ديربان|el=Ντέρμπαν|hi=डरबन|ja=ダーバン|ko=더반|ru=Дурбан|uk=Дурбан|zh=德班
Hangzhou|ar=هانغتشو|cs=Chang-čou|ja=杭州|ko=항저우|ru=Ханчжоу|uk=Ханчжоу|zh=杭州
Harbin|ar=هاربن|cs=Charbin|ja=ハルビン|ko=하얼빈|ru=Харбин|uk=Харбін|zh=哈尔滨
Hiroshima|ar=هيروشيما|cs=Hirošima|el=Χιροσίμα|hi=हिरोशिमा|ja=広島|ko=히로시마|pl=Hiroszima|ru=Хиросима|tr=Hiroşima|uk=Хіросіма|zh=广岛
Islamabad|ar=إسلام آباد|cs=Islámábád|el=Ισλαμαμπάντ|hi=इस्लामाबाद|ja=イスラマバード|ko=이슬라마바드|ru=Исламабад|tr=İslamabad|uk=Ісламабад|zh=伊斯兰堡
Jaipur|ar=جايبور|cs=Džajpur|hi=जयपुर|ja=ジャイプル|ko=자이푸르|ru=Джайпур|uk=Джайпур|zh=斋浦尔
Jeddah|ar=جدة|cs=Džidda|de=Dschidda|el=Τζέντα|es=Yeda|fr=Djeddah|hi=जेद्दा|it=Gedda|ja=ジッダ|ko=제다|nl=Djedda|pl=Dżudda|pt=Jidá|ru=Джидда|tr=Cidde|uk=Джидда|zh=吉达
Kyoto|ar=كيوتو|cs=Kjóto|el=Κιότο|es=Kioto|hi=क्योटो|ja=京都|ko=교토|nl=Kioto|pl=Kioto|pt=Quioto|ru=Киото|uk=Кіото|zh=京都
Mecca|ar=مكة المكرمة|cs=Mekka|de=Mekka|el=Μέκκα|es=La Meca|fr=La Mecque|hi=मक्का|it=La Mecca|ja=メッカ|ko=메카|nl=Mekka|pl=Mekka|pt=Meca|ru=Мекка|sv=Mecka|tr=Mekke|uk=Мекка|zh=麦加
Medellín|ar=ميديلين|el=Μεδεγίν|ja=メデジン|ko=메데인|ru=Медельин|uk=Медельїн|zh=麦德林
Minneapolis|ar=منيابولس|el=Μινεάπολη|hi=मिनियापोलिस|ja=ミネアポリス|ko=미니애폴리스|ru=Миннеаполис|uk=Міннеаполіс|zh=明尼阿波利斯
Montréal|ar=مونتريال|cs=Montreal|de=Montreal|el=Μόντρεαλ|es=Montreal|hi=मॉन्ट्रियल|ja=モントリオール|ko=몬트리올|nl=Montreal|pl=Montreal|pt=Montreal|ru=Монреаль|sv=Montreal|tr=Montreal|uk=Монреаль|zh=蒙特利尔
Nanjing|ar=نانجينغ|cs=Nanking|es=Nankín|fr=Nankin|it=Nanchino|ja=南京|ko=난징|pl=Nankin|pt=Nanquim|ru=Нанкин|uk=Нанкін|zh=南京
New Orleans|ar=نيو أورلينز|el=Νέα Ορλεάνη|es=Nueva Orleans|fr=La Nouvelle-Orléans|hi=न्यू ऑरलियन्स|ja=ニューオーリンズ|ko=뉴올리언스|pl=Nowy Orlean|pt=Nova Orleans|ru=Новый Орлеан|uk=Новий Орлеан|zh=新奥尔良
Ottawa|ar=أوتاوا|el=Οτάβα|hi=ओटावा|ja=オタワ|ko=오타와|ru=Оттава|uk=Оттава|zh=渥太华
Pretoria|ar=بريتوريا|el=Πρετόρια|hi=प्रिटोरिया|ja=プレトリア|ko=프리토리아|pt=Pretória|ru=Претория|uk=Преторія|zh=比勒陀利亚
Quito|ar=كيتو|el=Κίτο|hi=क्विटो|ja=キト|ko=키토|ru=Кито|uk=Кіто|zh=基多
Rabat|ar=الرباط|el=Ραμπάτ|hi=रबात|ja=ラバト|ko=라바트|ru=Рабат|uk=Рабат|zh=拉巴特
Reykjavík|ar=ريكيافيك|de=Reykjavik|el=Ρέικιαβικ|es=Reikiavik|hi=रेक्जाविक|ja=レイキャビク|ko=레이캬비크|nl=Reykjavik|pl=Reykjavik|ru=Рейкьявик|uk=Рейк’явік|zh=雷克雅未克
San Diego|ar=سان دييغو|el=Σαν Ντιέγκο|hi=सैन डिएगो|ja=サンディエゴ|ko=샌디에이고|ru=Сан-Диего|uk=Сан-Дієго|zh=圣迭戈
Sanaa|ar=صنعاء|cs=San’á|el=Σανάα|es=Saná|hi=सना|ja=サナア|ko=사나|pl=Sana|pt=Saná|ru=Сана|tr=Sana|uk=Сана|zh=萨那
Sapporo|ar=سابورو|el=Σαππόρο|hi=साप्पोरो|ja=札幌|ko=삿포로|ru=Саппоро|uk=Саппоро|zh=札幌
Seattle|ar=سياتل|el=Σιάτλ|hi=सिएटल|ja=シアトル|ko=시애틀|ru=Сиэтл|uk=Сіетл|zh=西雅图
Surabaya|ar=سورابايا|cs=Surabaja|ja=スラバヤ|ko=수라바야|ru=Сурабая|uk=Сурабая|zh=泗水
Tel Aviv-Yafo|ar=تل أبيب|cs=Tel Aviv|de=Tel Aviv|el=Τελ Αβίβ|es=Tel Aviv|fr=Tel Aviv|hi=तेल अवीव|it=Tel Aviv|ja=テルアビブ|ko=텔아비브|nl=Tel Aviv|pl=Tel Awiw|pt=Tel Aviv|ru=Тель-Авив|sv=Tel Aviv|tr=Tel Aviv|uk=Тель-Авів|zh=特拉维夫
The Hague|ar=لاهاي|cs=Haag|de=Den Haag|el=Χάγη|es=La Haya|fr=La Haye|hi=हेग|it=L’Aia|ja=ハーグ|ko=헤이그|nl=Den Haag|pl=Haga|pt=Haia|ru=Гаага|sv=Haag|tr=Lahey|uk=Гаага|zh=海牙
Tirana|ar=تيرانا|el=Τίρανα|hi=तिराना|ja=ティラナ|ko=티라나|ru=Тирана|tr=Tiran|uk=Тирана|zh=地拉那
Valletta|ar=فاليتا|el=Βαλέτα|es=La Valeta|fr=La Valette|hi=वैलेटा|it=La Valletta|ja=バレッタ|ko=발레타|pt=Valeta|ru=Валлетта|uk=Валлетта|zh=瓦莱塔
Victoria|ar=فيكتوريا|el=Βικτώρια|hi=विक्टोरिया|ja=ビクトリア|ko=빅토리아|ru=Виктория|uk=Вікторія|zh=维多利亚
Wellington|ar=ويلينغتون|el=Ουέλλινγκτον|hi=वेलिंगटन|ja=ウェリントン|ko=웰링턴|ru=Веллингтон|uk=Веллінгтон|zh=惠灵顿
Zürich|ar=زيورخ|cs=Curych|el=Ζυρίχη|es=Zúrich|fr=Zurich|hi=ज्यूरिख|it=Zurigo|ja=チューリッヒ|ko=취리히|pl=Zurych|pt=Zurique|ru=Цюрих|tr=Zürih|uk=Цюрих|zh=苏黎世
Yaoundé|ar=ياوندي|de=Jaunde|el=Γιαουντέ|es=Yaundé|hi=याउन्दे|ja=ヤウンデ|ko=야운데|pl=Jaunde|pt=Iaundé|ru=Яунде|uk=Яунде|zh=雅温得
Lomé|ar=لومي|el=Λομέ|hi=लोमे|ja=ロメ|ko=로메|ru=Ломе|uk=Ломе|zh=洛美
Chișinău|ar=كيشيناو|cs=Kišiněv|el=Κισινάου|es=Chisináu|ja=キシナウ|ko=키시너우|pl=Kiszyniów|ru=Кишинёв|tr=Kişinev|uk=Кишинів|zh=基希讷乌
Pristina|ar=بريشتينا|cs=Priština|el=Πρίστινα|ja=プリシュティナ|ko=프리슈티나|pl=Prisztina|ru=Приштина|tr=Priştine|uk=Приштина|zh=普里什蒂纳
San José|ar=سان خوسيه|el=Σαν Χοσέ|ja=サンホセ|ko=산호세|ru=Сан-Хосе|uk=Сан-Хосе|zh=圣何塞
Guatemala City|ar=مدينة غواتيمالا|de=Guatemala-Stadt|el=Πόλη της Γουατεμάλας|es=Ciudad de Guatemala|fr=Guatemala|it=Città del Guatemala|ja=グアテマラシティ|ko=과테말라시티|nl=Guatemala-Stad|pl=Gwatemala|pt=Cidade da Guatemala|ru=Гватемала|uk=Гватемала|zh=危地马拉城
Panama City|ar=مدينة بنما|cs=Panamá|de=Panama-Stadt|el=Πόλη του Παναμά|es=Ciudad de Panamá|fr=Panama|hi=पनामा सिटी|it=Panama|ja=パナマシティ|ko=파나마시티|nl=Panama-Stad|pl=Panama|pt=Cidade do Panamá|ru=Панама|uk=Панама|zh=巴拿马城
Kingston|ar=كينغستون|el=Κίνγκστον|hi=किंग्स्टन|ja=キングストン|ko=킹스턴|ru=Кингстон|uk=Кінгстон|zh=金斯敦
San Salvador|ar=سان سلفادور|el=Σαν Σαλβαδόρ|ja=サンサルバドル|ko=산살바도르|ru=Сан-Сальвадор|uk=Сан-Сальвадор|zh=圣萨尔瓦多
Salvador|ar=سالفادور|el=Σαλβαδόρ|ja=サルヴァドール|ko=사우바도르|ru=Салвадор|uk=Салвадор|zh=萨尔瓦多
Asunción|ar=أسونسيون|el=Ασουνσιόν|ja=アスンシオン|ko=아순시온|pt=Assunção|ru=Асунсьон|uk=Асунсьйон|zh=亚松森
Belém|ar=بيليم|el=Μπελέμ|ja=ベレン|ko=벨렝|ru=Белен|uk=Белен|zh=贝伦
Goiânia|ar=غويانيا|ja=ゴイアニア|ko=고이아니아|ru=Гояния|uk=Гоянія|zh=戈亚尼亚
Cali|ar=كالي|el=Κάλι|ja=カリ|ko=칼리|ru=Кали|uk=Калі|zh=卡利
Changchun|ar=تشانغتشون|cs=Čchang-čchun|ja=長春|ko=창춘|ru=Чанчунь|uk=Чанчунь|zh=长春
Changsha|ar=تشانغشا|cs=Čchang-ša|ja=長沙|ko=창사|ru=Чанша|uk=Чанша|zh=长沙
Curitiba|ar=كوريتيبا|el=Κουριτίμπα|ja=クリチバ|ko=쿠리치바|pl=Kurytyba|ru=Куритиба|uk=Куритиба|zh=库里蒂巴
Fuzhou|ar=فوتشو|cs=Fu-čou|ja=福州|ko=푸저우|ru=Фучжоу|uk=Фучжоу|zh=福州
Kunming|ar=كونمينغ|cs=Kchun-ming|ja=昆明|ko=쿤밍|ru=Куньмин|uk=Куньмін|zh=昆明
Kano|ar=كانو|ja=カノ|ko=카노|ru=Кано|uk=Кано|zh=卡诺
Kanpur|ar=كانبور|cs=Kánpur|hi=कानपुर|ja=カーンプル|ko=칸푸르|ru=Канпур|uk=Канпур|zh=坎普尔
Nagpur|ar=ناغبور|cs=Nágpur|hi=नागपुर|ja=ナーグプル|ko=나그푸르|ru=Нагпур|uk=Нагпур|zh=那格浦尔
Lilongwe|ar=ليلونغوي|el=Λιλόνγκουε|es=Lilongüe|ja=リロングウェ|ko=릴롱궤|ru=Лилонгве|uk=Лілонгве|zh=利隆圭
Maracaibo|ar=ماراكايبو|el=Μαρακαΐμπο|ja=マラカイボ|ko=마라카이보|ru=Маракайбо|uk=Маракайбо|zh=马拉开波
Mashhad|ar=مشهد|cs=Mašhad|de=Maschhad|fr=Mechhed|ja=マシュハド|ko=마슈하드|pl=Meszhed|ru=Мешхед|tr=Meşhed|uk=Мешхед|zh=马什哈德
Medan|ar=ميدان|ja=メダン|ko=메단|ru=Медан|uk=Медан|zh=棉兰
Bandung|ar=باندونغ|ja=バンドン|ko=반둥|ru=Бандунг|uk=Бандунг|zh=万隆
Tampa|ar=تامبا|el=Τάμπα|ja=タンパ|ko=탬파|ru=Тампа|uk=Тампа|zh=坦帕
St. Louis|ar=سانت لويس|el=Σεντ Λούις|fr=Saint-Louis|hi=सेंट लुइस|ja=セントルイス|ko=세인트루이스|ru=Сент-Луис|uk=Сент-Луїс|zh=圣路易斯
Taiyuan|ar=تاييوان|cs=Tchaj-jüan|ja=太原|ko=타이위안|ru=Тайюань|uk=Тайюань|zh=太原
Zhengzhou|ar=تشنغتشو|cs=Čeng-čou|ja=鄭州|ko=정저우|ru=Чжэнчжоу|uk=Чженчжоу|zh=郑州
Jinan|ar=جينان|cs=Ťi-nan|ja=済南|ko=지난|ru=Цзинань|uk=Цзінань|zh=济南
Lanzhou|ar=لانتشو|cs=Lan-čou|ja=蘭州|ko=란저우|ru=Ланьчжоу|uk=Ланьчжоу|zh=兰州
Nanchang|ar=نانتشانغ|cs=Nan-čchang|ja=南昌|ko=난창|ru=Наньчан|uk=Наньчан|zh=南昌
Nanning|ar=نانينغ|cs=Nan-ning|ja=南寧|ko=난닝|ru=Наньнин|uk=Наньнін|zh=南宁
Guiyang|ar=غوييانغ|cs=Kuej-jang|ja=貴陽|ko=구이양|ru=Гуйян|uk=Гуйян|zh=贵阳
Baotou|ar=باوتو|cs=Pao-tchou|ja=包頭|ko=바오터우|ru=Баотоу|uk=Баотоу|zh=包头
Zibo|ar=زيبو|ja=淄博|ko=쯔보|ru=Цзыбо|uk=Цзибо|zh=淄博
Valparaíso|ar=فالبارايسو|el=Βαλπαραΐσο|fr=Valparaiso|ja=バルパライソ|ko=발파라이소|ru=Вальпараисо|uk=Вальпараїсо|zh=瓦尔帕莱索
Puebla|ar=بويبلا|el=Πουέμπλα|ja=プエブラ|ko=푸에블라|ru=Пуэбла|uk=Пуебла|zh=普埃布拉
Cotonou|ar=كوتونو|el=Κοτονού|es=Cotonú|ja=コトヌー|ko=코토누|ru=Котону|uk=Котону|zh=科托努
Dodoma|ar=دودوما|el=Ντοντόμα|ja=ドドマ|ko=도도마|ru=Додома|uk=Додома|zh=多多马
Sucre|ar=سوكري|el=Σούκρε|ja=スクレ|ko=수크레|ru=Сукре|uk=Сукре|zh=苏克雷
Yamoussoukro|ar=ياموسوكرو|es=Yamusukro|ja=ヤムスクロ|ko=야무수크로|pl=Jamusukro|ru=Ямусукро|uk=Ямусукро|zh=亚穆苏克罗
N'Djamena|ar=انجمينا|el=Ντζαμένα|es=Yamena|ja=ンジャメナ|ko=은자메나|pl=Ndżamena|ru=Нджамена|uk=Нджамена|zh=恩贾梅纳
Patna|ar=باتنا|hi=पटना|ja=パトナ|ko=파트나|ru=Патна|uk=Патна|zh=巴特那
Surat|ar=سورت|hi=सूरत|ja=スーラト|ko=수라트|ru=Сурат|uk=Сурат|zh=苏拉特
Suva|ar=سوفا|el=Σούβα|ja=スバ|ko=수바|ru=Сува|uk=Сува|zh=苏瓦
Manama|ar=المنامة|el=Μανάμα|hi=मनामा|ja=マナーマ|ko=마나마|ru=Манама|uk=Манама|zh=麦纳麦
Port Louis|ar=بورت لويس|el=Πορτ Λούις|ja=ポートルイス|ko=포트루이스|ru=Порт-Луи|uk=Порт-Луї|zh=路易港
Bloemfontein|ar=بلومفونتين|ja=ブルームフォンテーン|ko=블룸폰테인|ru=Блумфонтейн|uk=Блумфонтейн|zh=布隆方丹
Asmara|ar=أسمرة|el=Ασμάρα|ja=アスマラ|ko=아스마라|ru=Асмэра|zh=阿斯马拉
"""
CITIES_BY_NAME = {name: dict(pair.split("=", 1) for pair in pairs)
                  for name, *pairs in (line.split("|") for line in CITY_NAMES.strip().splitlines())}


def city_exonyms(name):
    """The names of a city by language."""
    return dict(CITIES_BY_NAME.get(name, ()))
