"""The demo's members. Only those who can sign in have a password."""

from dataclasses import dataclass


@dataclass(frozen=True)
class DemoPerson:
    """A demo member; ``club`` is a demo club's slug, ``wallet_kobo`` the initial balance."""

    slug: str
    first_name: str
    last_name: str
    club: str
    phone: str
    email: str
    wallet_kobo: int = 0
    is_operator: bool = False
    signs_in: bool = True


def _fan(number: int, first_name: str, last_name: str, club: str) -> DemoPerson:
    """Return a member who only fills the boards."""
    slug = first_name.lower()
    phone = f"+23480300001{number:02d}"
    email = f"{slug}@example.com"
    return DemoPerson(slug, first_name, last_name, club, phone, email, signs_in=False)


PEOPLE = (
    DemoPerson(
        "ada",
        "Ada Grace",
        "Obi",
        "enyimba",
        "+2348030000001",
        "ada@example.com",
        wallet_kobo=2_500_000,
    ),
    DemoPerson("bello", "Bello", "Musa", "arsenal", "+2348030000002", "bello@example.com"),
    DemoPerson(
        "ops",
        "Ops",
        "Desk",
        "enyimba",
        "+2348030000003",
        "ops@example.com",
        is_operator=True,
    ),
    _fan(1, "Chioma", "Eze", "enyimba"),
    _fan(2, "Emeka", "Nwosu", "enyimba"),
    _fan(3, "Ngozi", "Okafor", "enyimba"),
    _fan(4, "Ifeanyi", "Chukwu", "enyimba"),
    _fan(5, "Amaka", "Uche", "enyimba"),
    _fan(6, "Obinna", "Agu", "enyimba"),
    _fan(7, "Kelechi", "Onu", "enyimba"),
    _fan(8, "Uju", "Ibe", "enyimba"),
    _fan(9, "Tobenna", "Ani", "enyimba"),
    _fan(10, "Zainab", "Lawal", "enyimba"),
    _fan(11, "Somto", "Duru", "enyimba"),
    _fan(12, "Hauwa", "Sani", "kano-pillars"),
    _fan(13, "Musa", "Garba", "kano-pillars"),
    _fan(14, "Aisha", "Danladi", "kano-pillars"),
    _fan(15, "Nkem", "Edeh", "rangers-international"),
    _fan(16, "Chinedu", "Ugwu", "rangers-international"),
    _fan(17, "Tunde", "Adeyemi", "remo-stars"),
    _fan(18, "Folake", "Ogun", "remo-stars"),
    _fan(19, "Segun", "Alabi", "remo-stars"),
    _fan(20, "Yetunde", "Bello", "arsenal"),
    _fan(21, "Femi", "Ojo", "arsenal"),
    _fan(22, "Ebere", "Nna", "arsenal"),
    _fan(23, "Dami", "Coker", "chelsea"),
    _fan(24, "Efe", "Oghene", "liverpool"),
    _fan(25, "Tari", "Briggs", "manchester-united"),
    _fan(26, "Bisi", "Ade", "street-ballers"),
)
