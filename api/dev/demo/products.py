"""The demo shop's products; each has a picture named after its slug beside this file."""

from dataclasses import dataclass
from pathlib import Path

SIZES = ("S", "M", "L", "XL", "XXL")
DEFAULT_SIZE = "L"
# The demo's delivery fees in kobo; other states are free.
FEES_KOBO = {"Abia": 80_000, "FCT": 250_000, "Kano": 300_000, "Lagos": 150_000, "Rivers": 120_000}
PICTURE_FOLDER = Path(__file__).resolve().parent / "pictures"


@dataclass(frozen=True)
class DemoProduct:
    """A product of the demo.

    ``price_kobo`` is in kobo, ``star`` a rating from 0 to 10, ``stock`` the number of units over
    all sizes; a stock of 0 shows a sold-out product.
    """

    slug: str
    name: str
    price_kobo: int
    description: str
    star: int
    stock: int
    sizes: tuple[str, ...] = ()

    def stock_by_size(self) -> list[tuple[str | None, int]]:
        """Return the units of each size; its name is None for a product without sizes."""
        if not self.sizes:
            return [(None, self.stock)]
        each, rest = divmod(self.stock, len(self.sizes))
        return [(size, each + (rest if size == DEFAULT_SIZE else 0)) for size in self.sizes]

    @property
    def picture(self) -> Path:
        """The product's SVG file, drawn by ``api.dev.demo.pictures``."""
        return PICTURE_FOLDER / f"{self.slug}.svg"


PRODUCTS = (
    DemoProduct(
        "home-jersey",
        "Enyimba Home Jersey 2026",
        1_500_000,
        "The home shirt of the new season: light, quick to dry, tonal stripes, number on the "
        "front. Loose fit: order your usual size.",
        9,
        60,
    ),
    DemoProduct(
        "away-jersey",
        "Away Jersey 2026",
        1_450_000,
        "Cream with three green hoops, for the days you follow the team on the road. "
        "Soft ribbed cuffs and a short placket.",
        8,
        40,
        SIZES,
    ),
    DemoProduct(
        "retro-jersey",
        "Retro Halves Jersey",
        1_200_000,
        "Gold and wine halves with a laced collar, in the heavy cotton your uncle still talks "
        "about. Made to be worn, not framed.",
        10,
        18,
    ),
    DemoProduct(
        "club-scarf",
        "Club Scarf",
        250_050,
        "A knitted scarf with fringed ends, wide enough to hold above your head when the anthem "
        "starts. 150 cm long.",
        9,
        200,
    ),
    DemoProduct(
        "terrace-cap",
        "Terrace Cap",
        480_000,
        "Six panels, a curved peak and a woven shield. The strap at the back fits every head.",
        7,
        75,
    ),
    DemoProduct(
        "bucket-hat",
        "Hooped Bucket Hat",
        520_000,
        "Shade for the afternoon kick-off. Stitched brim, hoops around the crown, folds into a "
        "back pocket.",
        8,
        32,
    ),
    DemoProduct(
        "enamel-mug",
        "Twelfth Man Mug",
        320_000,
        "An enamel mug for tea at half-time, with the number that belongs to the supporters. "
        "350 ml, safe on a stove.",
        8,
        120,
    ),
    DemoProduct(
        "water-bottle",
        "Squeeze Water Bottle",
        275_000,
        "750 ml with a grip in the middle and a scale on the side. Free of BPA, safe in the "
        "dishwasher.",
        6,
        150,
    ),
    DemoProduct(
        "training-top",
        "Quarter-Zip Training Top",
        1_850_000,
        "What the squad warms up in: brushed inside, a short zip, lime shoulders that are seen "
        "under any floodlight.",
        9,
        25,
        SIZES,
    ),
    DemoProduct(
        "tracksuit",
        "Match Day Tracksuit",
        3_250_000,
        "Jacket and trousers with a double gold stripe. Zipped pockets for phone and keys.",
        8,
        12,
        SIZES,
    ),
    DemoProduct(
        "match-football",
        "Match Football, Size 5",
        1_100_000,
        "Hand-stitched panels and a bladder that holds its air, for grass and for the street.",
        9,
        45,
    ),
    DemoProduct(
        "hand-flag",
        "Hand Flag",
        150_000,
        "A flag on a wooden stick, 60 by 40 cm, with colours that survive rain and harmattan.",
        7,
        0,
    ),
    DemoProduct(
        "vuvuzela",
        "Vuvuzela",
        180_000,
        "Sixty centimetres of noise. Your neighbours in row F will remember you.",
        5,
        90,
    ),
    DemoProduct(
        "boot-bag",
        "Drawstring Boot Bag",
        420_000,
        "Keeps muddy boots away from clean kit. Strong cords, worn as a rucksack.",
        7,
        3,
    ),
)
