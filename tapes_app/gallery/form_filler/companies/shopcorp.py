"""The words of ShopCorp, which runs shops for people who sell online."""

from tapes_app.gallery.form_filler.companies import tables
from tapes_app.gallery.form_filler.companies.vocabulary import Vocabulary

VOCABULARY = Vocabulary(
    company="ShopCorp",
    business="runs shops for people who sell online",
    split="test",
    domain="shopcorp.example",
    desk="merchant desk",
    approver="marketplace lead",
    requests=tables.read_requests("""
create | a digital coupon
refund | a damaged parcel
list | a seasonal product
launch | a banner campaign
connect | a payment gateway
migrate | a customer database
import | a price catalogue
close | an abandoned storefront
audit | a stock warehouse
print | a shipping label
"""),
    choices=tables.read_choices("""
discount_kind | How the discount is computed
- percentage off | most flexible | reward large baskets
- flat amount off | clearest | promote one item
- free shipping | most welcome | win new buyers
audience | Who gets it
- newcomers | youngest | greet first orders
- loyal buyers | oldest | thank regulars
- lapsed buyers | rarest | win people back
parcel_class | Class of the parcel
- letter parcel | flattest | send a greeting card
- box parcel | squarest | send shoes
- freight parcel | bulkiest | send a sofa
theme_colour | Colour of the pages
- teal theme | calmest-looking | sell wellness goods
- crimson theme | loudest | announce a clearance
sync_rhythm | How often stock is compared
- hourly sync | most frequent | sell out quickly
- nightly sync | most economical | sell slowly
- manual sync | least automatic | check everything in person
ad_placement | Where the advertisement is
- header slot | highest | be seen first
- sidebar slot | steadiest-running | be seen for longer
- footer slot | lowest | spend very little
"""),
    periods=tables.read_periods("""
sale_start | First day of the sale | sale_end | Last day of the sale
campaign_start | First day of the campaign | campaign_end | Last day of the campaign
"""),
    dates=tables.read_plain("""
shipment_date | Day of the shipment
invoice_date | Day of the invoice
"""),
    times=tables.read_plain("""
launch_hour | Time of the launch
cutoff_hour | Latest time for orders
"""),
    texts=tables.read_texts("""
merchant_name | Name of the merchant | Zoe Mercer; Adil Rahman; Bettina Krol; Cyril Duma
store_title | Title of the shop | Paper Lantern; Tiny Cactus; Nordic Nest; Wool Works
product_label | Name of the product | bamboo desk lamp; felt slippers; enamel mug; linen apron
depot_city | City of the depot | Tallinn; Zadar; Nantes; Lugano
"""),
    codes=tables.read_codes("""
coupon_code | Code of the coupon | CP | 4
parcel_mark | Mark on the parcel | PM | 6
"""),
    counts=tables.read_amounts("""
item_quantity | How many items there are | 1 | 40
redeem_limit | How often it can be used | 1 | 12
"""),
    amounts=tables.read_amounts("""
discount_value | Size of the discount | 5 | 70
ad_spend | Money for advertisements in euros | 10 | 4000
"""),
    flags=tables.read_plain("""
stack_discounts | Whether it adds to other discounts
fragile_goods | Whether the goods break easily
weekend_support | Whether to answer at weekends
"""),
    emails=tables.read_plain("""
merchant_email | E-mail address of the merchant
support_email | E-mail address of the support
"""),
    sites=tables.read_plain("""
store_url | Page of the shop
"""),
    names=(
        "zoe",
        "adil",
        "bettina",
        "cyril",
        "daphne",
    ),
)
