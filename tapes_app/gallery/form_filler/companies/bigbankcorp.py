"""The words of BigBankCorp, which lends and keeps money."""

from tapes_app.gallery.form_filler.companies import tables
from tapes_app.gallery.form_filler.companies.vocabulary import Vocabulary

VOCABULARY = Vocabulary(
    company="BigBankCorp",
    business="lends and keeps money",
    split="train",
    domain="bigbankcorp.example",
    desk="branch desk",
    approver="branch director",
    requests=tables.read_requests("""
open | a savings account
replace | a stolen credit card
apply for | a mortgage loan
dispute | a card payment
raise | an overdraft limit
schedule | a standing order
order | a cheque book
rent | a safe deposit box
transfer | a pension fund
hire | a wealth adviser
"""),
    choices=tables.read_choices("""
account_tier | Kind of account
- basic account | plainest | pay bills only
- plus account | popular | earn some interest
- platinum account | most exclusive | keep large balances
card_design | Look of the card
- slate design | darkest | keep it discreet
- coral design | brightest | find it in a full bag
- plain design | simplest | avoid a fee for printing
repayment_rhythm | How often money is paid
- weekly rhythm | fastest | pay small sums
- monthly rhythm | usual | pay after each salary
- yearly rhythm | slowest | pay once after a bonus
interest_model | How interest is set
- fixed interest | safest | know every payment beforehand
- floating interest | riskiest | profit from falling rates
statement_channel | How statements are sent
- paper statement | slowest to arrive | keep a folder at home
- app statement | quickest to arrive | read them on the phone
risk_appetite | How money is invested
- cautious portfolio | steadiest | preserve the savings
- balanced portfolio | most even | save for a house
- bold portfolio | most daring | wait for twenty years
"""),
    periods=tables.read_periods("""
loan_start | First day of the loan | loan_end | Last day of the loan
order_start | Day of the first payment | order_end | Day of the last payment
"""),
    dates=tables.read_plain("""
birth_date | Date of birth of the owner
theft_date | Day of the theft
"""),
    times=tables.read_plain("""
callback_time | Time of a call by the bank
appointment_time | Time of the appointment in the branch
"""),
    texts=tables.read_texts("""
owner_name | Name of the owner | Greta Baum; Hugo Steiner; Irene Vogt; Jakob Nowak; Katja Brandt
branch_town | Town of the branch | Graz; Basel; Ulm; Bremen; Leiden
loan_purpose | What the money is for | a new roof; a used tractor; dental surgery; a bakery oven
payee_name | Who receives the money | Green Power Coop; Harbour Housing; Allied Insurance
"""),
    codes=tables.read_codes("""
account_key | Key of the account | AC | 6
card_serial | Serial number of the card | CR | 5
"""),
    counts=tables.read_amounts("""
instalment_count | How many instalments there are | 2 | 48
signatory_count | How many people may sign | 1 | 4
"""),
    amounts=tables.read_amounts("""
loan_sum | Sum of the loan in francs | 500 | 9000
monthly_income | Income in a month in francs | 900 | 8000
"""),
    flags=tables.read_plain("""
joint_ownership | Whether a second person owns it
paperless_mode | Whether to send no letters
text_alerts | Whether to send text messages
"""),
    emails=tables.read_plain("""
owner_email | E-mail address of the owner
adviser_email | E-mail address of the adviser
"""),
    sites=tables.read_plain("""
employer_page | Page of the employer
"""),
    names=(
        "greta",
        "hugo",
        "irene",
        "jakob",
        "katja",
    ),
)
