"""The words of FlyCorp, which flies people and parcels between cities."""

from tapes_app.gallery.form_filler.companies import tables
from tapes_app.gallery.form_filler.companies.vocabulary import Vocabulary

VOCABULARY = Vocabulary(
    company="FlyCorp",
    business="flies people and parcels between cities",
    split="train",
    domain="flycorp.example",
    desk="flight desk",
    approver="station manager",
    requests=tables.read_requests("""
book | a charter flight
rebook | a cancelled flight
report | lost luggage
reserve | an airport lounge
order | an in-flight meal
register | an unaccompanied child
apply for | a pilot roster swap
request | a wheelchair escort
claim | a delay refund
ship | an air freight pallet
"""),
    choices=tables.read_choices("""
cabin | Cabin of the plane
- coach | cheapest | travel on a small budget
- premium coach | middle | have more room for the legs
- business cabin | most comfortable | sleep during the flight
seat_side | Where the seat is
- window | brightest | look at the clouds
- aisle | most accessible | get up often
- middle row | quietest | sit next to two friends
meal_plan | What is served
- vegetarian tray | lightest | eat no meat
- fish tray | freshest | eat seafood
- chicken tray | most filling | eat a warm meal
luggage_tier | Luggage that may be taken
- cabin bag | smallest | travel for one night
- checked bag | standard | travel for a week
- oversize crate | largest | take skis or a bicycle
lounge_access | Which lounge may be used
- quiet lounge | calmest | work before the flight
- family lounge | liveliest | play with children
fare_rules | Rules of the fare
- saver fare | strictest | know the plans for certain
- flex fare | loosest | change the plans later
"""),
    periods=tables.read_periods("""
outbound_date | Day of the outbound flight | inbound_date | Day of the flight back
roster_start | First day of the roster | roster_end | Last day of the roster
"""),
    dates=tables.read_plain("""
incident_date | Day on which it happened
ticket_date | Day on which the ticket was bought
"""),
    times=tables.read_plain("""
boarding_time | Earliest time of boarding
gate_time | Time of the meeting at the gate
"""),
    texts=tables.read_texts("""
passenger_name | Name as in the passport | Amelia Hart; Bruno Keller; Chiara Conti; Dmitri Orlov
origin_city | City of departure | Lisbon; Oslo; Turin; Krakow; Dublin
destination_city | City of arrival | Athens; Vienna; Malaga; Bergen; Porto
cargo_contents | What is inside | spare engine parts; dried flowers; medical samples; museum prints
"""),
    codes=tables.read_codes("""
booking_code | Code of the booking | FL | 4
baggage_tag | Number on the tag of the bag | BG | 5
"""),
    counts=tables.read_amounts("""
passenger_count | How many people fly | 1 | 9
bag_count | How many bags are taken | 1 | 6
"""),
    amounts=tables.read_amounts("""
bag_weight | Weight of a bag in kilograms | 5 | 60
refund_sum | Sum to be paid back in euros | 20 | 900
"""),
    flags=tables.read_plain("""
priority_boarding | Whether to board first
travel_insurance | Whether to insure the trip
carbon_offset | Whether to pay for the emissions
"""),
    emails=tables.read_plain("""
passenger_email | E-mail address of the passenger
agency_email | E-mail address of the travel agency
"""),
    sites=tables.read_plain("""
itinerary_link | Page with the itinerary
"""),
    names=(
        "amelia",
        "bruno",
        "chiara",
        "dmitri",
        "elsa",
        "farid",
    ),
)
