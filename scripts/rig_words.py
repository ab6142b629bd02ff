# SPDX-License-Identifier: MIT
"""The words for the parts of a body in several languages, for scripts/make_rigs.py.

One rig per language. The first word of a part that a skeleton has is the part. Words for a whole limb
("Bein") are left out.
"""

from __future__ import annotations

from typing import Any, Final

Json = dict[str, Any]

#: Per language: its name, the words for left and right in the way that names are written, and the letters
#: that stand for them only in this language.
_SIDES: Final = {
    "english": ("English that other rigs lack", ("{}_left", "{}_right"), None),
    "german": ("German", ("{}_links", "{}_rechts"), ("{}_li", "{}_re")),
    "french": ("French", ("{}_gauche", "{}_droite"), ("{}_g", "{}_d")),
    "spanish": ("Spanish", ("{}_izquierda", "{}_derecha"), ("{}_i", "{}_d")),
    "italian": ("Italian", ("{}_sinistra", "{}_destra"), ("{}_s", "{}_d")),
    "portuguese": ("Portuguese", ("{}_esquerda", "{}_direita"), ("{}_e", "{}_d")),
    "japanese": ("Japanese", ("左{}", "右{}"), None),
    "romaji": ("Japanese in Latin letters", ("hidari_{}", "migi_{}"), None),
    "chinese": ("Chinese", ("左{}", "右{}"), None),
    "pinyin": ("Chinese in Latin letters", ("zuo_{}", "you_{}"), None),
}

#: Words of German are written in three ways: with umlauts, without them, and as 3ds Max exports them.
_WORDS: Final[dict[str, dict[str, str]]] = {
    "english": {
        "hips": "pelvis",
        "spine": "abdomen",
        "chest": "sternum ribcage",
        "neck": "loneck",
        "head": "skull",
        "Shoulder": "collarbone clavical clavicule",
        "UpperArm": "bicep biceps biscep bisep uarm uparm",
        "LowerArm": "forarm larm loarm",
        "Hand": "palm",
        "UpperLeg": "uleg upleg",
        "LowerLeg": "lleg loleg",
        "Foot": "feet",
    },
    "german": {
        "hips": "Becken Hüfte Huefte Hüften Hueften H_fte",
        "spine": "Wirbel1 Wirbelsäule1 Wirbelsaeule1 Wirbels_ule1 Wirbelsäule Wirbelsaeule Wirbels_ule "
        "Wirbelsäule_unten Wirbelsaeule_unten Rücken1 Ruecken1 Rücken Ruecken Bauch Rumpf Taille",
        "chest": "Wirbel2 Wirbelsäule2 Wirbelsaeule2 Wirbels_ule2 Brust Brustkorb Oberkörper Oberkoerper "
        "Wirbelsäule_oben Wirbelsaeule_oben Rücken2 Ruecken2 Torso",
        "upperChest": "Wirbel3 Wirbelsäule3 Wirbelsaeule3 Wirbels_ule3 Rücken3 Ruecken3 Oberbrust",
        "neck": "Hals Nacken",
        "head": "Kopf Schädel Schaedel",
        "Shoulder": "Schulter Schlüsselbein Schluesselbein Schl_sselbein",
        "UpperArm": "Oberarm",
        "LowerArm": "Unterarm Ellenbogen Ellbogen",
        "Hand": "Hand Handgelenk Handfläche",
        "UpperLeg": "Oberschenkel Oberbein",
        "LowerLeg": "Unterschenkel Unterbein Schienbein Wade Wadenbein Knie",
        "Foot": "Fuß Fuss Fu_ Knöchel Knoechel",
        "Toes": "Zehen Zeh Zehe Zeh0 Fußballen Fussballen",
    },
    "french": {
        "hips": "bassin hanches pelvis",
        "spine": "colonne_bas colonne1 colonne_1 colonne colonne_vertebrale bas_du_dos dos1 dos "
        "abdomen ventre taille",
        "chest": "colonne_haut colonne2 colonne_2 poitrine thorax buste torse dos2 haut_du_dos",
        "upperChest": "colonne3 colonne_3 dos3 haut_poitrine",
        "neck": "cou nuque",
        "head": "tête",
        "Shoulder": "clavicule épaule",
        "UpperArm": "bras bras_haut haut_bras bras_supérieur humérus",
        "LowerArm": "avant_bras avantbras bras_bas bras_inférieur coude",
        "Hand": "main poignet",
        "UpperLeg": "cuisse jambe_haut haut_jambe fémur",
        "LowerLeg": "mollet tibia jambe jambe_bas bas_jambe genou",
        "Foot": "pied cheville",
        "Toes": "orteils orteil doigts_pied pointe_pied",
    },
    "spanish": {
        "hips": "cadera caderas pelvis",
        "spine": "columna1 columna_1 columna columna_vertebral columna_baja espalda1 espalda espalda_baja "
        "abdomen vientre cintura espina1 espina",
        "chest": "columna2 columna_2 pecho tórax columna_alta espalda2 espalda_alta torso espina2",
        "upperChest": "columna3 columna_3 pecho_superior espina3",
        "neck": "cuello",
        "head": "cabeza",
        "Shoulder": "clavícula hombro",
        "UpperArm": "brazo brazo_superior brazo_sup bíceps húmero",
        "LowerArm": "antebrazo brazo_inferior brazo_inf codo",
        "Hand": "mano muñeca",
        "UpperLeg": "muslo pierna_superior pierna_sup fémur",
        "LowerLeg": "pantorrilla espinilla pierna_inferior pierna_inf tibia pierna rodilla",
        "Foot": "pie tobillo",
        "Toes": "dedos_pie dedos_del_pie dedo_pie punta_pie dedos",
    },
    "italian": {
        "hips": "bacino anche pelvi",
        "spine": "colonna1 colonna_1 colonna colonna_vertebrale spina1 spina schiena1 schiena addome pancia "
        "vita",
        "chest": "colonna2 colonna_2 petto torace busto spina2 schiena2 torso",
        "upperChest": "colonna3 colonna_3 spina3",
        "neck": "collo",
        "head": "testa",
        "Shoulder": "clavicola spalla",
        "UpperArm": "braccio omero braccio_superiore",
        "LowerArm": "avambraccio braccio_inferiore gomito",
        "Hand": "mano polso",
        "UpperLeg": "coscia femore gamba_superiore",
        "LowerLeg": "polpaccio stinco tibia gamba gamba_inferiore ginocchio",
        "Foot": "piede caviglia",
        "Toes": "dita_piede dita_del_piede dita punta_piede",
    },
    "portuguese": {
        "hips": "quadril bacia quadris pélvis",
        "spine": "coluna1 coluna_1 coluna coluna_vertebral espinha1 espinha costas1 costas abdómen abdome "
        "barriga cintura",
        "chest": "coluna2 coluna_2 peito tórax espinha2 costas2 tronco",
        "upperChest": "coluna3 coluna_3 espinha3",
        "neck": "pescoço",
        "head": "cabeça",
        "Shoulder": "clavícula ombro",
        "UpperArm": "braço braço_superior úmero",
        "LowerArm": "antebraço braço_inferior cotovelo",
        "Hand": "mão pulso punho",
        "UpperLeg": "coxa perna_superior fêmur",
        "LowerLeg": "panturrilha canela perna perna_inferior tíbia joelho",
        "Foot": "pé tornozelo",
        "Toes": "dedos_pé dedos_do_pé ponta_pé dedos",
    },
    "japanese": {
        "hips": "腰 骨盤 ヒップ こし",
        "spine": "脊椎1 背骨1 脊椎 背骨 腹 お腹 スパイン せぼね",
        "chest": "脊椎2 背骨2 胸 チェスト むね",
        "upperChest": "脊椎3 背骨3 胸上 上胸",
        "neck": "首 くび ネック",
        "head": "頭 あたま ヘッド",
        "Shoulder": "肩 鎖骨 かた ショルダー",
        "UpperArm": "上腕 二の腕 腕 うで",
        "LowerArm": "前腕 下腕 ひじ 肘",
        "Hand": "手 手首 て ハンド",
        "UpperLeg": "太もも 太腿 大腿 もも 腿 上腿",
        "LowerLeg": "すね 脛 下腿 ふくらはぎ ひざ 膝",
        "Foot": "足 足首 あし フット",
        "Toes": "つま先 爪先 足先 足の指 つまさき",
    },
    "romaji": {
        "hips": "koshi kotsuban",
        "spine": "sebone1 sebone hara onaka sekitsui",
        "chest": "sebone2 mune",
        "upperChest": "sebone3 mune2",
        "neck": "kubi",
        "head": "atama",
        "Shoulder": "kata sakotsu",
        "UpperArm": "ude jouwan nino_ude",
        "LowerArm": "hiji zenwan maeude",
        "Hand": "te tekubi",
        "UpperLeg": "momo futomomo daitai",
        "LowerLeg": "sune hiza katai fukurahagi",
        "Foot": "ashi ashikubi",
        "Toes": "tsumasaki ashisaki",
    },
    "chinese": {
        "hips": "骨盆 臀部 髋 盆骨 臀 胯",
        "spine": "脊柱1 脊椎1 脊柱 脊椎 腰 腰部 腹部 腹",
        "chest": "脊柱2 脊椎2 胸 胸部 胸腔 上身",
        "upperChest": "脊柱3 脊椎3 上胸",
        "neck": "脖子 颈 颈部 脖",
        "head": "头 头部",
        "Shoulder": "锁骨 肩 肩膀 肩部",
        "UpperArm": "上臂 大臂 胳膊",
        "LowerArm": "前臂 小臂 下臂 手肘 肘",
        "Hand": "手 手掌 手腕",
        "UpperLeg": "大腿 上腿",
        "LowerLeg": "小腿 下腿 膝盖 膝",
        "Foot": "脚 脚掌 脚踝 足",
        "Toes": "脚趾 脚尖 足尖",
    },
    "pinyin": {
        "hips": "gupen pengu tunbu kuan",
        "spine": "jizhu1 jizhui1 jizhu jizhui yao yaobu fubu",
        "chest": "jizhu2 jizhui2 xiong xiongbu",
        "upperChest": "jizhu3 jizhui3",
        "neck": "bozi jing jingbu",
        "head": "tou toubu",
        "Shoulder": "suogu jian jianbang",
        "UpperArm": "shangbi dabi gebo",
        "LowerArm": "qianbi xiaobi shouzhou",
        "Hand": "shou shouzhang shouwan",
        "UpperLeg": "datui shangtui",
        "LowerLeg": "xiaotui xiatui xigai",
        "Foot": "jiao jiaozhang zu jiaohuai",
        "Toes": "jiaozhi jiaojian",
    },
}


def word_rows() -> dict[str, Json]:
    """Rows for the table of scripts/make_rigs.py."""
    rows: dict[str, Json] = {}
    for language, parts in _WORDS.items():
        title, words, letters = _SIDES[language]
        names: dict[str, list[str]] = {}
        for part, text in parts.items():
            if part[0].islower():
                names[part] = text.split()
                continue
            for at, side in enumerate(("left", "right")):
                patterns = (words[at], *([letters[at]] if letters else []))
                names[side + part] = [pattern.format(word) for word in text.split() for pattern in patterns]
        rows[language] = {
            "title": f"words in {title}",
            "source": "AnimBridge's own table, scripts/rig_words.py",
            "licence": "names are facts",
            "names": names,
        }
    return rows


#: Joints above each other in the torso, so that none of them counts against a language.
WORD_CHAINS: Final = {
    language: {
        "spine": [word for part in ("spine", "chest", "upperChest") for word in parts.get(part, "").split()]
    }
    for language, parts in _WORDS.items()
}
