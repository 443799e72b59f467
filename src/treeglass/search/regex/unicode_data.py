"""The properties of characters in Unicode 16.0, as ripgrep 15 has them.

Written by `python -m build_steps.unicode`; `unicode_tables` reads it. Python's own tables
are of another Unicode version in each minor release.
"""

CATEGORIES = (
    "a32Dv3xv3wsvzvrv2n10v2z3v2j26wvsyqyf26wzsza33Dvx4AvyAhuzbAyAzp2yfv2yphtp3vj23zj7f24zf8jfjf"
    "jfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjf2jfjfjfjfjfjfjfjf2jfjfjfjfjfjfjfjfjfjf"
    "jfjfjfjfjfjfjfjfjfjfjfjfjfj2fjfjf3j2fjfj2fj3f2j4fj2fj3f3j2fj2fjfjfj2fjf2jfj2fj3fjfj2f2hjf3"
    "h4jifjifjifjfjfjfjfjfjfjfjf2jfjfjfjfjfjfjfjfjf2jifjfj3fjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfj"
    "fjfjfjfjfjfjfjfjfjfjfjf7j2fj2f2jfj4fjfjfjfjf69hf27g18y4g12y14g5y7gygy17m112jfjfgyjfc2gf3vj"
    "c4y2jvj3cjcj2fj17cj9f35jf2j3f3jfjfjfjfjfjfjfjfjfjfjfjf5jfzjfj2f2j51f48jfjfjfjfjfjfjfjfjfjf"
    "jfjfjfjfjfjfjfAm5l2jfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfj2fjfjfjfjfjfjf2j"
    "fjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfj"
    "fjfjfcj38c2gv6f41vrc2A2xcm45rmvm2vm2vmc8h27c4h4v2c11b6z3v2xv2A2m11vbv3h32gh10m21n10v4h2mh9"
    "9vhm7bAm6g2m2Am4h2n10h3A2hv14cbhmh30m27c2h89m11hc14n10h33m9g2Av3gc2mx2h22m4gm9gm3gm5c2v15c"
    "h25m3c2vch11c5h24yh6cb2c5m9h41gm24bm32kh54mkmhk3m8k4mk2hm7h10m2v2n10vgh15mk2ch8c2h2c2h22ch"
    "7chc3h4c2mhk3m4c2k2c2k2mhc8kc4h2ch3m2c2n10h2x2p6Axhvmc2m2kch6c4h2c2h22ch7ch2ch2ch2c2mck3m2"
    "c4m2c2m3c3mc7h4chc7n10m2h3mvc10m2kch9ch3ch22ch7ch2ch5c2mhk3m5cm2kck2mc2hc15h2m2c2n10vxc7hm"
    "6cmk2ch8c2h2c2h22ch7ch2ch5c2mhkmkm4c2k2c2k2mc7m2kc4h2ch3m2c2n10Ahp6c10mhch6c3h3ch4c3h2chch"
    "2c3h2c3h3c3h12c4k2mk2c3k3ck3mc2hc6kc14n10p3A6xAc5mk3mh8ch3ch23ch16c2mhm3k4cm3cm4c7m2ch3c2h"
    "c2h2m2c2n10c7vp7Ahmk2vh8ch3ch23ch10ch5c2mhkmk5cmk2ck2m2c7k2c6h2ch2m2c2n10ch2kc12m2k2h9ch3c"
    "h41m2hk3m4ck3ck3mhAc4h3kp7h3m2c2n10p9Ah6cmk2ch18c3h24ch9chc2h7c3mc4k3m3cmck8c6n10c2k2vc12h"
    "48mh2m7c4xh6gm8vn10v2c37h2chch5ch24chch10mh2m9hc2h5cgcm7cn10c2h4c32hA3v15AvA3m2A6n10p10AmA"
    "mAmwswsk2h8ch36c4m14km5vm2h5m11cm36cA8mA6cA2v5A4v2c37h43k2m4km6km2k2m2hn10v6h6k2m2h4m3hk3h"
    "2k7h3m4h13mk2m2k6mhkn10k3mA2j38cjc5jc2f43vgf3h329ch4c2h7chch4c2h41ch4c2h33ch4c2h7chch4c2h1"
    "5ch57ch4c2h67c2m3v9p20c3h16A10c6j86c2f6c2rh620Avh17Dh26wsc3h75v3o3h8c7h18m3kc9h19m2kv2c9h1"
    "8m2c12h13ch3cm2c12h52m2km7k8mk2m11v3gv3xhmc2n10c6p10c6v6rv4m3bmn10c6h35gh53c7h5m2h34mhc5h7"
    "0c10h31cm3k4m2k3c4k2mk6m3c4Ac3v2n10h30c2h5c11h44c4h26c6n10pc3A34h23m2k2mc2v2h53kmkm7cmkmk2"
    "m8k6m10c2mn10c6n10c6v7gv6c2m14lm16c49m4kh47mkm5kmk5mk2h8cv2n10v7A10m9A9v3m2kh30km4k2m2km3h"
    "2n10h44mkm2k3mkm3k2c8v4h36k8m8k2m2c3v5n10c3h3n10h30g6v2f9jfc5j43c2j3v8c8m3vm13km7h4mh6mh2k"
    "m2hc5f44g63f13gf34g37m64jfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjf"
    "jfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjf9jfjfj"
    "fjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfj"
    "fjf9j8f6c2j6c2f8j8f8j8f6c2j6c2f8cjcjcjcjf8j8f14c2f8i8f8i8f8i8f5cf2j4iyfy3f3cf2j4iy3f4c2f2j"
    "4cy3f8j5y3c2f3cf2j4iy2cD11b5r6v2utwu2twuv8BCb5Dv9utv4q2v3zwsv11zvqv10Db5cb10pgc2p6z3wsgp10"
    "z3wscg13c3x33c15m13l4ml3m12c15A2jA4jA2fj3f2j3fAjA2zj5A6jAjAjAj4Afj4fh4fA2f2j2z5jf4AzA2fAp1"
    "6o35jfo4pA2c4z5A5z2A4zA2zA2zA7zA31z2A2zAzA31z268A8wswsA20z2A7wsA81zA30z25A40z6A72c22A11c21"
    "p60A78p22A183zA9zA54z8A111zA248wswswswswswswsp30A44z5wsz31wswswswswsz16A256z131wswswswswsw"
    "swswswswswsz63wswsz32wsz258A48z21A2z6A39c2A32cA105j48f48jfj3f2jfjfjfj4fjf2jf6g2j3fjfjfjfjf"
    "jfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjf"
    "2A6jfjfm3jfc5v4pv2f38cfc5fc2h56c7gvc14mh23c9h7ch7ch7ch7ch7ch7ch7ch7cm32v2ututv3utvutv9rv2r"
    "vutv2utwswswswsv5gv10r2v4rvwv13A2v3wswswswsrc34A26cA89c12A214c26A16Dv3AghowswswswswsA2wsws"
    "wswsrws2Ao9m4k2rg5A2o3ghvA2ch86c2m2y2g2hrh90vg3hc5h43ch94cA2p4A10h32A38c9Ah16A31cp10A30p8A"
    "p15A32p10A39p15A320h6592A64h21013gh1143c3A55c9h40g6v2h268gv3h16n10h2c20jfjfjfjfjfjfjfjfjfj"
    "fjfjfjfjfjfjfjfjfjfjfjfjfjfhml3vm10vgjfjfjfjfjfjfjfjfjfjfjfjfjfjfg2m2h70o10m2v6c8y23g9y2jf"
    "jfjfjfjfjfjf3jfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfgf8jfjfj2fjfjfj"
    "fjfgy2jfjfhjfjf3jfjfjfjfjfjfjfjfjfjfj5fj5fjfjfjfjfjfjfjfj4fjfj2fc2jfcfcfjfjfjfjc21g3jfhg2f"
    "h7mh3mh4mh23k2m2kA4mc3p6A2xAc6h52v4c8k2h50k16m2c8v2n10c6m18h6v3hvh2mn10h28m8v2h23m11k2c11v"
    "h29c3m3kh47mk2m4k2m2k3v13cgn10c4v2h5mgh9n10h5ch41m6k2m2k2m2c9h3mh8mkc2n10c2v4h16gh6A3hkmkh"
    "50mhm3h2m2h5m2hmhc24h2gv2h11km2k2v2hg2kmc10h6c2h6c2h6c9h7ch7cf43yg4f9gy2c4f80h35k2mk2mk2vk"
    "mc2n10c6h11172c12h23c4h49c4e2048d6400h366c2h106c38f7c12f5c5hmh10zh13ch5chch2ch2ch108y17c16"
    "h363swA16h64c2h54c7Ac32h12xA3m16v7wsvc6m16vr2q2wswswswswswswswsv2wsv4q3v3cv4rwswswsv3zrz3c"
    "vxv2c4h5ch135c2bcv3xv3wsvzvrv2n10v2z3v2j26wvsyqyf26wzszwsvwsv2h10gh45g2h31c3h6c2h6c2h6c2h3"
    "c3x2zyAx2cAz4A2c10b3A2c2h12ch26ch19ch2ch15c2h14c34h123c5v3c4p45c3A9o53p4A17p2A3cA13c3Ac47A"
    "45mc130h29c3h49c15mp27c4h32p4c9h20oh8oc5h38m5c5h30cvh36c4h8vo5c42j40f40h78c2n10c6j36c4f36c"
    "4h40c8h52c11vj11cj15cj7cj2cf11cf15cf7cf2c3h52c12h311c9h22c10h8c24g6cg42cg9c69h6c2hch44ch2c"
    "3hc2h23cvp8h23A2p7h31c8p9c48h19ch2c5p5h22p6c3vh26c5vc64h56c4p2h2p16c2p46hm3cm2c5m4h4ch3ch2"
    "9c2m3c4mp9c7v9c7h29p2vh29p3c32h8Ah28m2c4p5v7c9h54c3v7h22c2p8h19c5p8h18c7v4c12p7c80h73c55j5"
    "1c13f51c7p6h36m4c8n10c6n10h4ghj22c3m5rgf22c8z2c208p31ch42cm2rc2h2c16h3c55m4h29p10hc8h22m11"
    "p4v5c22h18m4v4c38h21p7c20h23c9kmkh53m15v7c4p20n10mh2m2hc9m3kh45k3m4k2m2v2bv4mc10bc2h25c7n1"
    "0c6m3h36m5km8cn10v4hk2hc8h35mv2hc9m2kh48k3m9k2h4v4m4vkmn10hvhv3cp20c11h18ch25k3m3k2mkm2v6m"
    "h2mc62h7chch4ch15ch10vc6h47mk3m8c5n10c6m2k2ch8c2h2c2h22ch7ch2ch5cm2hk2mk4c2k2c2k3c2hc6kc5h"
    "5k2c2m7c3m5c11h10chc2hch38chk3m6ckc2kck4ck2mkmhmhv2cv2c8m2c29h53k3m8k2m3kmh4v5n10v2cvmh3c3"
    "0h48k3m6kmk4m2km2h2vhc8n10c166h47k3m4c2k4m2km2v23h4m2c34h48k3m8k2mkm2v3hc11n10c6v13c19h43m"
    "kmk2m6kmhvc6n10c6n20c28h27c2mkmk2m4km5c4n10p2v3Ah7c185h44k3m9km2vc100j32f32n10p9c12h8c2hc2"
    "h8ch2ch24k6ck2c2m2kmhkhkmv3c9n10c70h8c2h39k3m4c2m2k4mhvhkc27hm10h40m6khm4v8mc8hm6k2m3h46m1"
    "3km2v3hv5c13h73c7v10c182h33vc14n10c6h9ch37km7cm6kmhv5c10n10p19c3v2h30c2m22ckm7km2km2c73h7c"
    "h2ch38m6c3mcm2cm7hmc8n10c6h6ch2ch32k5cm2ck2mkmhc7n10c310h19m2k2v2c7m2hkh13ch34k2m5c3k2mkmv"
    "13n10mc85hc15p21A8x4A17c13vh922c102o111cv5c11h196c2636h97v2c13h1072b16mh6m15c10h3995c5h583"
    "c6841h30m12k3m3n10c1734h569c7h31cn10c4v2h79cn10c6h30c2m5vc10h48m7v5A4g4vAc10n10cp7ch21c5h1"
    "9c432g3h40g2v3n10c198j32f32p23v4c101h75c4mhk55c7m4g13c64g2vgmc11k2c14h6136c8h1238c41h10c89"
    "35g4cg7cg2ch291c15hc29h3c2hc14h4c8h396c2308h107c5h13c3h9c7h10c2Am2vb4c3932A240n10c6A436c76"
    "m46c2m23c9A116c60A246c10A39c2A60k2m3A3k6b8m8A2m7A30m4A61c21A66m3Ac122p20c12p20c12A87c9p25c"
    "135j26f26j26f7cf18j26f26jcj2c2jc2j2c2j4cj8f4cfcf7cf11j26f26j2cj4c2j8cj7cf26j2cj4cj5cjc3j7c"
    "f26j26f26j26f26j26f26j26f26j26f26j26f28c2j25zf25zf6j25zf25zf6j25zf25zf6j25zf25zf6j25zf25zf"
    "6jfc2n50A512m55A4m50A8mA14mA2v5c15m5cm15c1104f10hf20c6f6c213m7cm17c2m7cm2cm5c5g62c33mc112h"
    "45c3m7g7c2n10c4hAc320h30mc17h44m4n10c5xc464h27gm4n10c214h30m2hn10c4vc480h7ch4ch2ch15ch197c"
    "2p9m7c41j34f34m7gc4n10c4v2c785p59Ap3xp4c76p45Ap15c194h4ch27ch2chc2hch10ch4chchc6hc4hchchch"
    "3ch2chc2hchchchchch2chc2h4ch7ch4ch4chch10ch17c5h3ch5ch17c52z2c270A44c4A100c12A15c2A15cA15c"
    "A37c10p13A161c56A29c13A44c4A9c7A2c14A6c154A251y5A728c4A17c3A13c3A119c4A95c6A12c4Ac15A12c4A"
    "56c8A10c6A40c8A30c2A12c4A2c62A340c12A14c2A13c3A10c5A56c7A15c2A11c6A9c7A147cA92n10c1030h427"
    "20c32h4154c6h222c2h5762c14h7473c15h622c2466h542c1506h4939c5h4192c711761bc30b96c128m240c650"
    "40d65534c2d65534c2"
)

FOLDING = (
    "65 32 1 26,42 8383 1 1,8 268 1 1,66 743 1 1,11 32 1 23,24 32 1 7,7 7615 1 1,6 8262 1 1,26 "
    "121 1 1,1 1 2 24,50 1 2 3,7 1 2 8,17 1 2 23,47 1 2 3,7 195 1 1,1 210 1 1,1 1 2 2,4 206 1 1"
    ",1 1 1 1,2 205 1 2,2 1 1 1,3 79 1 1,1 202 1 1,1 203 1 1,1 1 1 1,2 205 1 1,1 207 1 1,1 97 1"
    " 1,1 211 1 1,1 209 1 1,1 1 1 1,2 163 1 1,1 42561 1 1,1 211 1 1,1 213 1 1,1 130 1 1,1 214 1"
    " 1,1 1 2 3,6 218 1 1,1 1 1 1,2 218 1 1,3 1 1 1,2 218 1 1,1 1 1 1,2 217 1 2,2 1 2 2,4 219 1"
    " 1,1 1 1 1,4 1 1 1,3 56 1 1,5 1 1 2,3 1 1 2,3 1 1 2,3 1 2 8,17 1 2 9,19 1 1 2,3 1 1 1,4 1 "
    "2 20,42 1 2 9,24 10795 1 1,1 1 1 1,3 10792 1 1,1 10815 1 2,2 1 1 1,3 69 1 1,1 71 1 1,1 1 2"
    " 5,10 10783 1 1,1 10780 1 1,1 10782 1 1,10 42319 1 1,5 42315 1 1,3 42343 1 1,1 42280 1 1,1"
    " 42308 1 1,4 42308 1 1,1 10743 1 1,1 42305 1 1,5 10749 1 1,12 10727 1 1,5 42307 1 1,5 4228"
    "2 1 1,22 42261 1 1,1 42258 1 1,167 84 1 1,43 1 2 2,6 1 1 1,5 130 1 3,4 116 1 1,7 38 1 1,2 "
    "37 1 3,4 64 1 1,2 63 1 2,2 7235 1 1,1 32 1 17,18 31 1 1,1 32 1 8,12 7219 1 1,2 30 1 1,3 64"
    " 1 1,3 25 1 1,1 7173 1 1,1 54 1 1,6 22 1 1,1 48 1 1,1 1 1 1,4 15 1 1,3 7517 1 1,6 8 1 1,2 "
    "35 1 1,7 1 2 12,26 7 1 1,5 1 1 1,3 1 1 1,6 80 1 16,16 32 1 32,34 6222 1 1,2 6221 1 1,10 62"
    "12 1 1,3 6210 1 2,9 6204 1 1,22 1 2 2,3 6180 1 1,1 1 2 15,38 1 2 27,54 15 1 1,1 1 2 7,15 1"
    " 2 48,97 48 1 38,2927 7264 1 38,39 7264 1 1,6 7264 1 1,3 3008 1 43,45 3008 1 3,675 38864 1"
    " 80,80 8 1 6,2196 1 1 1,4 35266 1 1,1 1 1 1,240 35332 1 1,4 3814 1 1,17 35384 1 1,114 1 2 "
    "49,97 58 1 1,1 1 2 26,62 1 2 48,96 8 1 8,16 8 1 6,16 8 1 8,16 8 1 8,16 8 1 6,17 8 2 4,15 8"
    " 1 8,16 74 1 2,2 86 1 4,4 100 1 2,2 128 1 2,2 112 1 2,2 126 1 2,4 8 1 8,16 8 1 8,16 8 1 8,"
    "16 8 1 2,3 9 1 1,16 9 1 1,13 8 1 2,16 8 1 2,5 7 1 1,14 9 1 1,319 28 1 1,46 16 1 16,35 1 1 "
    "1,819 26 1 26,1866 48 1 48,96 1 1 1,7 1 2 3,11 1 1 1,3 1 1 1,11 1 2 50,107 1 2 2,7 1 1 1,3"
    "1054 1 2 23,64 1 2 14,162 1 2 7,16 1 2 31,71 1 2 2,5 1 2 5,13 1 1 1,5 1 2 2,4 48 1 1,2 1 2"
    " 10,29 928 1 1,1 1 2 8,19 1 2 2,5 1 1 1,4 1 1 1,6 1 2 3,31 1 1 1,21264 1 1 1,1052 32 1 26,"
    "1247 40 1 40,176 40 1 36,192 39 1 11,12 39 1 15,16 39 1 7,8 39 1 2,1772 64 1 51,208 32 1 2"
    "2,2896 32 1 32,21920 32 1 32,31424 34 1 34"
)

SCRIPTS = {
    "arabic": (
        "1536 5 1 6 1 14 1 3 1 32 1 10 11 26 1 108 1 34 80 48 240 31 1 2 5 75 1 29 62032 115 16 363"
        " 2 80 2 54 7 1 32 16 112 5 1 135 3939 31 67 3 55 4 57088 4 1 27 1 2 1 1 2 1 1 10 1 4 1 1 1"
        " 1 6 1 4 1 1 1 1 1 1 3 1 2 1 1 2 1 1 1 1 1 1 1 1 1 1 2 1 1 2 4 1 7 1 4 1 4 1 1 1 10 1 17 5"
        " 3 1 5 1 17 52 2"
    ),
    "cyrillic": "1024 133 2 169 5968 11 160 1 76 1 4199 32 30784 96 22414 2 57856 62 33 1",
    "devanagari": "2304 81 4 15 2 26 40800 32 29184 10",
    "greek": (
        "880 4 1 3 2 4 1 1 4 1 1 1 1 3 1 1 1 20 1 63 14 16 6438 5 50 5 4 5 84 1 320 22 2 6 2 38 2 6"
        " 2 8 1 1 1 1 1 1 1 31 2 53 1 15 1 14 2 6 1 19 2 3 1 9 295 1 35390 1 21978 79 17 1 53343 70"
    ),
    "han": (
        "11904 26 1 89 12 214 47 1 1 1 25 9 14 4 964 6592 64 20992 22784 366 2 106 29960 2 12 2 368"
        "78 42720 32 4154 6 222 2 5762 14 7473 15 622 2466 542 1506 4939 5 4192"
    ),
    "hangul": (
        "4352 256 7726 2 257 94 113 31 65 31 30433 29 643 11172 12 23 4 49 10148 31 3 6 2 6 2 6 2 3"
    ),
    "hebrew": "1425 55 8 27 4 6 62760 26 1 5 1 1 1 2 1 2 1 10",
    "hiragana": "12353 86 6 3 98145 287 18 1 29 3 16557 1",
    "katakana": (
        "12449 90 2 3 240 16 208 47 1 88 52238 10 1 45 45138 4 1 7 1 2 1 1 287 3 50 1 14 4"
    ),
    "latin": (
        "65 26 6 26 47 1 15 1 5 23 1 31 1 449 39 5 6683 38 6 49 5 4 5 13 1 70 65 256 369 1 13 1 16 "
        "13 141 2 6 1 27 1 17 41 2775 32 31394 102 3 67 2 2 1 1 1 8 21 14 816 43 1 9 1 4 20374 7 10"
        "50 26 6 26 2085 6 1 42 1 9 55109 31 6 6"
    ),
    "thai": "3585 58 5 28",
}
