"""The words of LuxuryCorp, which sells watches, gowns and jewels."""

from tapes_app.gallery.form_filler.companies import tables
from tapes_app.gallery.form_filler.companies.vocabulary import Vocabulary

VOCABULARY = Vocabulary(
    company="LuxuryCorp",
    business="sells watches, gowns and jewels",
    split="test",
    domain="luxurycorp.example",
    desk="concierge desk",
    approver="maison curator",
    requests=tables.read_requests("""
commission | a bespoke necklace
polish | a vintage watch
authenticate | a designer handbag
fit | an evening gown
borrow | a diamond tiara
engrave | a signet ring
attend | a private viewing
restore | a pearl clasp
consign | an antique brooch
gift | a perfume hamper
"""),
    choices=tables.read_choices("""
metal_alloy | Metal that is used
- rose gold | warmest | match a tan
- white gold | coolest | match silver things
- platinum alloy | heaviest | keep it for generations
gem_cut | How the stone is cut
- emerald cut | most geometric | show clarity
- cushion cut | most rounded | look romantic
- marquise cut | slimmest | make a finger look long
wrap_style | How it is wrapped
- velvet wrap | plushest | impress a partner
- linen wrap | humblest | send a quiet gift
courier_grade | How it is delivered
- signed courier | swiftest | have it before a gala
- armoured courier | best guarded | move precious stones
- store collection | most personal | try it on first
fabric_blend | Fabric of the piece
- raw silk | glossiest | dance in the evening
- merino wool | snuggest | stand outdoors in frost
- organza | sheerest | wear it over a dress
chain_length | Length of the chain
- choker length | tightest | wear an open collar
- opera length | most dangling | wear a high collar
"""),
    periods=tables.read_periods("""
loan_opening | First day of the loan of a piece | loan_closing | Last day of the loan of a piece
exhibit_opening | First day of the exhibition | exhibit_closing | Last day of the exhibition
"""),
    dates=tables.read_plain("""
fitting_day | Day of the fitting
purchase_day | Day of the purchase
"""),
    times=tables.read_plain("""
viewing_hour | Time of the viewing
atelier_hour | Time of the visit to the atelier
"""),
    texts=tables.read_texts("""
client_name | Name of the client | Ursula Vance; Victor Lacroix; Wanda Szabo; Xavier Pons
engraving_text | Words to be engraved | always yours; bright star; hold fast; nine summers
boutique_street | Street of the boutique | Via Condotti; Bond Lane; Rue Royale; Ginza Alley
piece_story | Where the piece comes from | family heirloom; auction find; old friend
"""),
    codes=tables.read_codes("""
vault_number | Number in the vault | VT | 5
certificate_mark | Mark of the certificate | CE | 6
"""),
    counts=tables.read_amounts("""
stone_total | How many stones it has | 1 | 24
companion_total | How many companions come along | 1 | 8
"""),
    amounts=tables.read_amounts("""
carat_weight | Weight in carats | 1 | 40
insured_worth | Worth in crowns for the insurer | 900 | 9900
"""),
    flags=tables.read_plain("""
gift_receipt | Whether to hide the price
valet_parking | Whether to park the car
champagne_service | Whether to serve champagne
"""),
    emails=tables.read_plain("""
client_email | E-mail address of the client
stylist_email | E-mail address of the stylist
"""),
    sites=tables.read_plain("""
lookbook_url | Page with the collection
"""),
    names=(
        "ursula",
        "victor",
        "wanda",
        "xavier",
        "yara",
    ),
)
