"""The words of DriveCorp, which rents, sells and mends cars."""

from tapes_app.gallery.form_filler.companies import tables
from tapes_app.gallery.form_filler.companies.vocabulary import Vocabulary

VOCABULARY = Vocabulary(
    company="DriveCorp",
    business="rents, sells and mends cars",
    split="test",
    domain="drivecorp.example",
    desk="garage desk",
    approver="fleet supervisor",
    requests=tables.read_requests("""
rent | a passenger vehicle
service | a company van
contest | a parking fine
install | a charging station
enrol in | a driving lesson
sell | a used motorcycle
extend | a roadside warranty
reserve | a tow truck
trade in | an old convertible
track | a fleet of lorries
"""),
    choices=tables.read_choices("""
vehicle_class | Class of the vehicle
- hatchback | shortest | park in narrow lanes
- estate | roomiest | carry two dogs
- minibus | tallest | drive a whole team
fuel_type | What it runs on
- diesel | thriftiest | drive long motorways
- petrol | most common | refuel anywhere
- electric | cleanest | enter city zones
gearbox | How gears are changed
- manual shift | most sporty | climb mountain passes
- automatic shift | easiest | crawl through traffic
cover_level | What the cover includes
- third-party cover | narrowest | protect others only
- partial cover | moderate | protect the windscreen
- full cover | broadest | drive without any worry
tyre_set | Tyres that are mounted
- summer tyres | softest | drive on dry asphalt
- winter tyres | grippiest | drive on snow
- all-season tyres | most versatile | never change tyres
payment_plan | How it is paid
- upfront plan | shortest-lived | be done with it
- spread plan | longest-lived | split the price
"""),
    periods=tables.read_periods("""
pickup_date | Day of collection | dropoff_date | Day of the return
warranty_start | First day of the warranty | warranty_end | Last day of the warranty
"""),
    dates=tables.read_plain("""
breakdown_date | Day of the breakdown
inspection_date | Day of the inspection
"""),
    times=tables.read_plain("""
collection_hour | Time of collection
lesson_hour | Time of the lesson
"""),
    texts=tables.read_texts("""
driver_name | Name as in the licence | Pavel Novak; Quentin Moreau; Rosa Delgado; Stefan Iliev
depot_town | Town of the depot | Ghent; Leeds; Murcia; Rijeka; Tampere
damage_note | What is damaged | cracked left mirror; leaking radiator; bent front axle
licence_country | Country of the licence | Slovenia; Uruguay; Iceland; Jordan
"""),
    codes=tables.read_codes("""
plate_number | Number of the plate | DV | 4
chassis_mark | Mark on the chassis | CH | 6
"""),
    counts=tables.read_amounts("""
seat_total | How many seats are needed | 2 | 16
vehicle_total | How many vehicles there are | 1 | 30
"""),
    amounts=tables.read_amounts("""
odometer_km | Distance driven in kilometres | 100 | 9000
asking_price | Price in pounds | 300 | 9500
"""),
    flags=tables.read_plain("""
child_seat | Whether to add a seat for a child
navigation_unit | Whether to add a navigation unit
border_crossing | Whether to drive abroad
"""),
    emails=tables.read_plain("""
driver_email | E-mail address of the driver
workshop_email | E-mail address of the workshop
"""),
    sites=tables.read_plain("""
listing_url | Page with the offer
"""),
    names=(
        "pavel",
        "quentin",
        "rosa",
        "stefan",
        "tilda",
    ),
)
