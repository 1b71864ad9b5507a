"""The advisory locks of the database, each with a unique number."""

from enum import IntEnum


class AdvisoryLock(IntEnum):
    """What an advisory lock protects. The numbers are arbitrary, and never change.

    Servers of two releases run side by side during an update, so both need the same number. With a
    key, such as a member's id, the number is the seed of the key's hash: the same key in another
    lock does not collide.
    """

    SPELLED_OUT = 0  # its keys are self-describing: an email, ``funding:…``, ``transaction:…``
    BROWSERS_OF_MEMBER = 1
    QUEST_DAY = 7_226_331  # the first of two 32-bit numbers, the other is the day
    MIGRATION = 7_226_331_104
    ROW_RETENTION = 7_226_331_105
    POINTS_FOLDING = 7_226_331_106
    SUBSCRIPTION_OF_MEMBER = 7_226_331_107
    FUNDING_SWEEP = 7_226_331_108
    OPEN_ORDERS_OF_MEMBER = 7_226_331_109
    CLUB_SIZES = 7_226_331_110
    QUESTION_IMPORT = 7_226_331_111
    PRODUCT_CREATION = 7_226_331_112
    ONLINE_LISTS = 7_226_331_113
    MEDIA_SWEEP = 7_226_331_140
    BACKUP = 7_226_331_150
    CLUB_NAMES = 7_226_331_151
    QUESTION_STATISTICS = 7_226_331_153
    ARTICLE_SLUGS = 7_226_331_154
    MATCH_WRITING = 7_226_331_155
    MODERATION_OF_MEMBER = 7_226_331_160
    CREDITS_OF_OPERATOR = 7_226_331_161
    BANK_MATCHING = 7_226_331_162
    LEDGER_PROOF = 7_226_331_163
    PREDICTIONS_OF_MATCH = 7_226_331_166
    PUSH_DELIVERY = 7_305_148_221
