"""The words of CoffeeCorp, which roasts coffee and runs cafés."""

from tapes_app.gallery.form_filler.companies import tables
from tapes_app.gallery.form_filler.companies.vocabulary import Vocabulary

VOCABULARY = Vocabulary(
    company="CoffeeCorp",
    business="roasts coffee and runs cafés",
    split="train",
    domain="coffeecorp.example",
    desk="barista desk",
    approver="head roaster",
    requests=tables.read_requests("""
order | a bean delivery
suggest | a new drink
repair | an espresso machine
cater | an office breakfast
join | a tasting course
lease | a milk cooler
propose | a store location
sponsor | a street festival
return | a broken grinder
hire | a mobile cart
"""),
    choices=tables.read_choices("""
roast_level | How dark the beans are
- blonde roast | lightest | taste fruit
- amber roast | medium | drink it all day
- ebony roast | darkest | mix it with milk
cup_size | Size of the cups
- demi cup | tiniest | have a quick shot
- regular cup | ordinary | sit for a while
- jumbo cup | biggest | stay awake at night
milk_kind | Milk that is used
- oat milk | most plant-like | avoid dairy
- whole milk | creamiest | make dense foam
- skim milk | leanest | count calories
grind_setting | How fine the coffee is ground
- coarse grind | roughest | use a press pot
- fine grind | finest | use a portafilter
venue_style | Style of the place
- kiosk style | most compact | serve commuters
- parlour style | cosiest | host book clubs
- terrace style | airiest | serve guests in summer
packaging | What the goods come in
- paper bag | greenest | compost it later
- steel tin | sturdiest | store it for months
"""),
    periods=tables.read_periods("""
lease_begin | First day of the lease | lease_finish | Last day of the lease
festival_open | First day of the festival | festival_close | Last day of the festival
"""),
    dates=tables.read_plain("""
delivery_day | Day of the delivery
fault_day | Day on which the fault was noticed
"""),
    times=tables.read_plain("""
serving_time | Time at which to serve
drop_time | Time at which goods are dropped off
"""),
    texts=tables.read_texts("""
cafe_name | Name of the café | Blue Kettle; Copper Bean; Daily Grind; Morning Fox
organiser_name | Name of the organiser | Lena Fuchs; Marco Riva; Nadia Haddad; Oskar Blom
street_corner | Where the place is | Elm Yard; Mill Square; Old Wharf; Rose Arcade
drink_idea | Idea for a drink | smoked cherry latte; cold ginger brew; salted maple mocha
"""),
    codes=tables.read_codes("""
machine_plate | Number on the plate of the machine | MX | 4
roast_batch | Batch of the roast | RB | 5
"""),
    counts=tables.read_amounts("""
guest_total | How many guests come | 5 | 90
sack_total | How many sacks are ordered | 1 | 20
"""),
    amounts=tables.read_amounts("""
bean_kilos | Weight of the beans in kilograms | 2 | 80
cart_budget | Budget in dollars | 50 | 3000
"""),
    flags=tables.read_plain("""
latte_art | Whether to draw on the foam
decaf_option | Whether to offer decaf
reusable_cups | Whether to use cups with a deposit
"""),
    emails=tables.read_plain("""
cafe_email | E-mail address of the café
organiser_email | E-mail address of the organiser
"""),
    sites=tables.read_plain("""
menu_page | Page with the menu
"""),
    names=(
        "lena",
        "marco",
        "nadia",
        "oskar",
    ),
)
