// Made from openapi.json by `python3 run.py client`; do not edit.
import type { CallFacts } from "~/lib/facts";

export const CALLS = {
  "GET /api/v1/admin/approvals": {
    "right": null,
    "query": {
      "state": {
        "kind": "choice",
        "options": [
          "open",
          "approved",
          "refused",
          "expired"
        ]
      }
    }
  },
  "PATCH /api/v1/admin/approvals/{approval_id}": {
    "right": null,
    "body": {
      "content": {
        "kind": "group",
        "fields": {},
        "required": true
      },
      "reason": {
        "kind": "text",
        "min": 1,
        "max": 200,
        "required": true
      }
    }
  },
  "POST /api/v1/admin/approvals/{approval_id}/decide": {
    "right": null,
    "fresh": true,
    "body": {
      "digest": {
        "kind": "text",
        "min": 64,
        "max": 64,
        "required": true
      },
      "decision": {
        "kind": "choice",
        "options": [
          "approve",
          "refuse"
        ],
        "required": true
      },
      "reason": {
        "kind": "text",
        "min": 1,
        "max": 200,
        "required": true
      }
    }
  },
  "GET /api/v1/admin/articles": {
    "right": "news:write",
    "query": {
      "state": {
        "kind": "choice",
        "options": [
          "draft",
          "scheduled",
          "published",
          "withdrawn"
        ]
      }
    }
  },
  "POST /api/v1/admin/articles": {
    "right": "news:write",
    "body": {
      "title": {
        "kind": "text",
        "min": 1,
        "max": 120,
        "required": true
      },
      "body": {
        "kind": "text",
        "max": 20000
      },
      "club": {
        "kind": "text",
        "min": 1,
        "max": 100
      },
      "publishAt": {
        "kind": "moment"
      }
    }
  },
  "POST /api/v1/admin/articles/preview": {
    "right": "news:write",
    "body": {
      "body": {
        "kind": "text",
        "max": 20000,
        "required": true
      }
    }
  },
  "GET /api/v1/admin/articles/{article_id}": {
    "right": "news:write"
  },
  "PATCH /api/v1/admin/articles/{article_id}": {
    "right": "news:write",
    "body": {
      "version": {
        "kind": "integer",
        "min": 1,
        "required": true
      },
      "title": {
        "kind": "text",
        "min": 1,
        "max": 120
      },
      "body": {
        "kind": "text",
        "max": 20000
      },
      "club": {
        "kind": "text",
        "min": 1,
        "max": 100
      },
      "publishAt": {
        "kind": "moment"
      }
    }
  },
  "POST /api/v1/admin/articles/{article_id}/picture": {
    "right": "news:write",
    "body": {
      "file": {
        "kind": "file",
        "required": true
      }
    },
    "form": true
  },
  "POST /api/v1/admin/articles/{article_id}/publish": {
    "right": "news:write",
    "body": {
      "publishAt": {
        "kind": "moment"
      }
    }
  },
  "POST /api/v1/admin/articles/{article_id}/withdraw": {
    "right": "news:write"
  },
  "GET /api/v1/admin/audit": {
    "right": "audit:read",
    "query": {
      "q": {
        "kind": "text",
        "min": 1,
        "max": 100
      },
      "right": {
        "kind": "choice",
        "options": [
          "operators:write",
          "audit:read",
          "settings:write",
          "members:read",
          "members:suspend",
          "members:write",
          "clubs:write",
          "shop:read",
          "shop:write",
          "orders:confirm",
          "plans:write",
          "money:read",
          "money:write",
          "refund:ask",
          "refund:send",
          "adjust:propose",
          "chat:write",
          "news:write",
          "games:read",
          "games:write",
          "system:read",
          "system:write"
        ]
      },
      "operator": {
        "kind": "id"
      },
      "target": {
        "kind": "text",
        "min": 1,
        "max": 100
      },
      "from": {
        "kind": "day"
      },
      "to": {
        "kind": "day"
      }
    }
  },
  "GET /api/v1/admin/audit/operators": {
    "right": "audit:read"
  },
  "GET /api/v1/admin/backups": {
    "right": "system:read"
  },
  "POST /api/v1/admin/backups": {
    "right": "system:write"
  },
  "GET /api/v1/admin/bank-lines": {
    "right": "money:read",
    "query": {
      "state": {
        "kind": "choice",
        "options": [
          "matched",
          "ambiguous",
          "unmatched",
          "open"
        ]
      }
    }
  },
  "POST /api/v1/admin/bank-lines/{line_id}/match": {
    "right": "money:write",
    "body": {
      "orderId": {
        "kind": "text",
        "required": true
      },
      "reason": {
        "kind": "text",
        "min": 1,
        "max": 200,
        "required": true
      }
    }
  },
  "POST /api/v1/admin/bank-statements": {
    "right": "money:write",
    "fresh": true,
    "body": {
      "file": {
        "kind": "file",
        "required": true
      },
      "mapping": {
        "kind": "text",
        "max": 1000
      },
      "digest": {
        "kind": "text",
        "max": 64
      }
    },
    "form": true
  },
  "GET /api/v1/admin/bank-transfers": {
    "right": "money:read"
  },
  "GET /api/v1/admin/banks": {
    "right": "orders:confirm"
  },
  "POST /api/v1/admin/chargebacks": {
    "right": "money:write",
    "fresh": true,
    "body": {
      "fundingReference": {
        "kind": "text",
        "required": true
      },
      "amount": {
        "kind": "number",
        "required": true
      },
      "caseId": {
        "kind": "text",
        "min": 1,
        "max": 64,
        "required": true
      },
      "reason": {
        "kind": "text",
        "min": 1,
        "max": 200,
        "required": true
      }
    }
  },
  "GET /api/v1/admin/chat/bans": {
    "right": "chat:write"
  },
  "POST /api/v1/admin/chat/bans": {
    "right": "chat:write",
    "body": {
      "userId": {
        "kind": "id",
        "required": true
      },
      "until": {
        "kind": "moment"
      },
      "reason": {
        "kind": "text",
        "min": 1,
        "max": 200,
        "required": true
      }
    }
  },
  "DELETE /api/v1/admin/chat/bans/{user_id}": {
    "right": "chat:write"
  },
  "GET /api/v1/admin/chat/messages/{message_id}/evidence": {
    "right": "chat:write"
  },
  "POST /api/v1/admin/chat/messages/{message_id}/{deed}": {
    "right": "chat:write"
  },
  "GET /api/v1/admin/chat/mutes": {
    "right": "chat:write"
  },
  "POST /api/v1/admin/chat/mutes": {
    "right": "chat:write",
    "body": {
      "userId": {
        "kind": "id",
        "required": true
      },
      "minutes": {
        "kind": "integer",
        "min": 1,
        "max": 525600,
        "required": true
      },
      "reason": {
        "kind": "text",
        "min": 1,
        "max": 100,
        "required": true
      }
    }
  },
  "DELETE /api/v1/admin/chat/mutes/{user_id}": {
    "right": "chat:write"
  },
  "GET /api/v1/admin/chat/reports": {
    "right": "chat:write"
  },
  "GET /api/v1/admin/clubs": {
    "right": "clubs:write"
  },
  "POST /api/v1/admin/clubs": {
    "right": "clubs:write",
    "body": {
      "name": {
        "kind": "text",
        "min": 2,
        "max": 60,
        "required": true
      },
      "ccName": {
        "kind": "text",
        "min": 2,
        "max": 60
      },
      "colours": {
        "kind": "list",
        "of": {
          "kind": "text"
        },
        "min": 2,
        "max": 2
      },
      "hidden": {
        "kind": "boolean"
      }
    }
  },
  "PATCH /api/v1/admin/clubs/{club_id}": {
    "right": "clubs:write",
    "body": {
      "version": {
        "kind": "integer",
        "min": 1,
        "required": true
      },
      "name": {
        "kind": "text",
        "min": 2,
        "max": 60
      },
      "ccName": {
        "kind": "text",
        "min": 2,
        "max": 60
      },
      "colours": {
        "kind": "list",
        "of": {
          "kind": "text"
        },
        "min": 2,
        "max": 2
      },
      "hidden": {
        "kind": "boolean"
      }
    }
  },
  "PUT /api/v1/admin/clubs/{club_id}/crest": {
    "right": "clubs:write",
    "body": {
      "file": {
        "kind": "file",
        "required": true
      }
    },
    "form": true
  },
  "GET /api/v1/admin/competitions": {
    "right": "games:read"
  },
  "PUT /api/v1/admin/competitions/{competition_id}": {
    "right": "games:write",
    "body": {
      "name": {
        "kind": "text",
        "min": 1,
        "max": 80,
        "required": true
      },
      "season": {
        "kind": "text",
        "min": 1,
        "max": 80,
        "required": true
      },
      "table": {
        "kind": "boolean",
        "required": true
      },
      "version": {
        "kind": "integer",
        "min": 1,
        "required": true
      }
    }
  },
  "GET /api/v1/admin/debts": {
    "right": "money:read",
    "query": {
      "state": {
        "kind": "choice",
        "options": [
          "open",
          "collected",
          "written_off"
        ]
      }
    }
  },
  "POST /api/v1/admin/debts/{debt_id}/collect": {
    "right": "money:write",
    "body": {
      "reason": {
        "kind": "text",
        "min": 1,
        "max": 200,
        "required": true
      }
    }
  },
  "POST /api/v1/admin/debts/{debt_id}/write-off": {
    "right": "money:write",
    "body": {
      "reason": {
        "kind": "text",
        "min": 1,
        "max": 200,
        "required": true
      }
    }
  },
  "GET /api/v1/admin/delivery-fees": {
    "right": "shop:write"
  },
  "PUT /api/v1/admin/delivery-fees": {
    "right": "shop:write",
    "body": {
      "version": {
        "kind": "integer",
        "min": 1,
        "required": true
      },
      "fees": {
        "kind": "list",
        "of": {
          "kind": "group",
          "fields": {
            "state": {
              "kind": "text",
              "required": true
            },
            "fee": {
              "kind": "number",
              "required": true
            }
          }
        },
        "min": 1,
        "max": 37,
        "required": true
      }
    }
  },
  "GET /api/v1/admin/disputes": {
    "right": "money:read",
    "query": {
      "state": {
        "kind": "choice",
        "options": [
          "open",
          "closed"
        ]
      }
    }
  },
  "GET /api/v1/admin/figures": {
    "right": null,
    "query": {
      "from": {
        "kind": "day"
      },
      "to": {
        "kind": "day"
      }
    }
  },
  "GET /api/v1/admin/fixtures": {
    "right": "games:read",
    "query": {
      "state": {
        "kind": "choice",
        "options": [
          "scheduled",
          "postponed",
          "live",
          "half_time",
          "finished",
          "abandoned",
          "awarded",
          "cancelled"
        ]
      },
      "from": {
        "kind": "day"
      },
      "to": {
        "kind": "day"
      }
    }
  },
  "POST /api/v1/admin/fixtures": {
    "right": "games:write",
    "body": {
      "competition": {
        "kind": "text",
        "min": 1,
        "max": 80,
        "required": true
      },
      "home": {
        "kind": "group",
        "fields": {
          "clubId": {
            "kind": "id"
          },
          "name": {
            "kind": "text",
            "min": 2,
            "max": 60
          }
        },
        "required": true
      },
      "away": {
        "kind": "group",
        "fields": {
          "clubId": {
            "kind": "id"
          },
          "name": {
            "kind": "text",
            "min": 2,
            "max": 60
          }
        },
        "required": true
      },
      "kickOffAt": {
        "kind": "moment",
        "required": true
      },
      "state": {
        "kind": "choice",
        "options": [
          "scheduled",
          "postponed",
          "live",
          "half_time",
          "finished",
          "abandoned",
          "awarded",
          "cancelled"
        ]
      },
      "homeGoals": {
        "kind": "integer",
        "min": 0,
        "max": 30
      },
      "awayGoals": {
        "kind": "integer",
        "min": 0,
        "max": 30
      },
      "round": {
        "kind": "text",
        "min": 1,
        "max": 80
      },
      "venue": {
        "kind": "text",
        "min": 1,
        "max": 80
      }
    }
  },
  "POST /api/v1/admin/fixtures/imports": {
    "right": "games:write",
    "body": {
      "file": {
        "kind": "file",
        "required": true
      },
      "digest": {
        "kind": "text",
        "max": 64
      }
    },
    "form": true
  },
  "PUT /api/v1/admin/fixtures/{fixture_id}": {
    "right": "games:write",
    "body": {
      "competition": {
        "kind": "text",
        "min": 1,
        "max": 80,
        "required": true
      },
      "home": {
        "kind": "group",
        "fields": {
          "clubId": {
            "kind": "id"
          },
          "name": {
            "kind": "text",
            "min": 2,
            "max": 60
          }
        },
        "required": true
      },
      "away": {
        "kind": "group",
        "fields": {
          "clubId": {
            "kind": "id"
          },
          "name": {
            "kind": "text",
            "min": 2,
            "max": 60
          }
        },
        "required": true
      },
      "kickOffAt": {
        "kind": "moment",
        "required": true
      },
      "state": {
        "kind": "choice",
        "options": [
          "scheduled",
          "postponed",
          "live",
          "half_time",
          "finished",
          "abandoned",
          "awarded",
          "cancelled"
        ]
      },
      "homeGoals": {
        "kind": "integer",
        "min": 0,
        "max": 30
      },
      "awayGoals": {
        "kind": "integer",
        "min": 0,
        "max": 30
      },
      "round": {
        "kind": "text",
        "min": 1,
        "max": 80
      },
      "venue": {
        "kind": "text",
        "min": 1,
        "max": 80
      },
      "version": {
        "kind": "integer",
        "min": 1,
        "required": true
      }
    }
  },
  "POST /api/v1/admin/fresh": {
    "right": null,
    "body": {
      "code": {
        "kind": "text",
        "max": 1024,
        "required": true
      }
    }
  },
  "GET /api/v1/admin/fundings": {
    "right": "money:read",
    "query": {
      "state": {
        "kind": "choice",
        "options": [
          "prepared",
          "pending",
          "success",
          "failed",
          "review",
          "cancelled"
        ]
      },
      "gateway": {
        "kind": "text"
      },
      "q": {
        "kind": "text",
        "min": 1,
        "max": 100
      }
    }
  },
  "POST /api/v1/admin/fundings/{reference}/ask": {
    "right": "money:write"
  },
  "GET /api/v1/admin/jobs": {
    "right": "system:read"
  },
  "POST /api/v1/admin/jobs/{name}/run": {
    "right": "system:write"
  },
  "GET /api/v1/admin/mails": {
    "right": "system:read",
    "query": {
      "state": {
        "kind": "choice",
        "options": [
          "waiting",
          "running",
          "dead"
        ]
      }
    }
  },
  "POST /api/v1/admin/mails/{mail_id}/retry": {
    "right": "system:write"
  },
  "GET /api/v1/admin/me": {
    "right": null
  },
  "GET /api/v1/admin/members": {
    "right": "members:read",
    "query": {
      "q": {
        "kind": "text",
        "min": 3,
        "max": 100
      }
    }
  },
  "GET /api/v1/admin/members/{user_id}": {
    "right": "members:read"
  },
  "POST /api/v1/admin/members/{user_id}/adjustments": {
    "right": "adjust:propose",
    "fresh": true,
    "body": {
      "amount": {
        "kind": "number",
        "required": true
      },
      "category": {
        "kind": "choice",
        "options": [
          "goodwill",
          "correction",
          "prize-voucher",
          "test"
        ],
        "required": true
      },
      "reason": {
        "kind": "text",
        "min": 1,
        "max": 200,
        "required": true
      }
    }
  },
  "POST /api/v1/admin/members/{user_id}/club": {
    "right": "members:write",
    "body": {
      "clubId": {
        "kind": "id",
        "required": true
      },
      "reason": {
        "kind": "text",
        "min": 1,
        "max": 200,
        "required": true
      }
    }
  },
  "POST /api/v1/admin/members/{user_id}/gift": {
    "right": "plans:write",
    "fresh": true,
    "body": {
      "planId": {
        "kind": "id",
        "required": true
      },
      "periods": {
        "kind": "integer",
        "min": 1,
        "max": 12,
        "required": true
      },
      "replace": {
        "kind": "boolean"
      },
      "reason": {
        "kind": "text",
        "min": 1,
        "max": 200,
        "required": true
      }
    }
  },
  "GET /api/v1/admin/members/{user_id}/notes": {
    "right": "members:read"
  },
  "POST /api/v1/admin/members/{user_id}/notes": {
    "right": "members:read",
    "body": {
      "text": {
        "kind": "text",
        "min": 1,
        "max": 1000,
        "required": true
      }
    }
  },
  "POST /api/v1/admin/members/{user_id}/restore": {
    "right": "members:suspend",
    "body": {
      "reason": {
        "kind": "text",
        "min": 1,
        "max": 200,
        "required": true
      }
    }
  },
  "POST /api/v1/admin/members/{user_id}/revoke-sessions": {
    "right": "members:write",
    "body": {
      "reason": {
        "kind": "text",
        "min": 1,
        "max": 200,
        "required": true
      }
    }
  },
  "POST /api/v1/admin/members/{user_id}/suspend": {
    "right": "members:suspend",
    "body": {
      "until": {
        "kind": "moment"
      },
      "reason": {
        "kind": "text",
        "min": 1,
        "max": 200,
        "required": true
      }
    }
  },
  "GET /api/v1/admin/moments": {
    "right": "chat:write",
    "query": {
      "q": {
        "kind": "text",
        "min": 1,
        "max": 120
      },
      "member": {
        "kind": "id"
      },
      "state": {
        "kind": "choice",
        "options": [
          "shown",
          "hidden"
        ]
      },
      "reported": {
        "kind": "boolean"
      }
    }
  },
  "POST /api/v1/admin/moments/{moment_id}/hide": {
    "right": "chat:write",
    "body": {
      "reason": {
        "kind": "text",
        "min": 1,
        "max": 200,
        "required": true
      }
    }
  },
  "POST /api/v1/admin/moments/{moment_id}/restore": {
    "right": "chat:write",
    "body": {
      "reason": {
        "kind": "text",
        "min": 1,
        "max": 200,
        "required": true
      }
    }
  },
  "GET /api/v1/admin/moments/{moment_id}/{part}": {
    "right": "chat:write"
  },
  "GET /api/v1/admin/operators": {
    "right": "operators:write"
  },
  "POST /api/v1/admin/operators": {
    "right": "operators:write",
    "fresh": true,
    "body": {
      "email": {
        "kind": "text",
        "max": 254,
        "required": true
      },
      "roles": {
        "kind": "list",
        "of": {
          "kind": "choice",
          "options": [
            "owner",
            "finance",
            "shop",
            "moderator",
            "editor",
            "game-master"
          ]
        },
        "min": 1,
        "max": 6,
        "required": true
      },
      "reason": {
        "kind": "text",
        "min": 1,
        "max": 200,
        "required": true
      }
    }
  },
  "PATCH /api/v1/admin/operators/{operator_id}": {
    "right": "operators:write",
    "fresh": true,
    "body": {
      "version": {
        "kind": "integer",
        "min": 1,
        "required": true
      },
      "roles": {
        "kind": "list",
        "of": {
          "kind": "choice",
          "options": [
            "owner",
            "finance",
            "shop",
            "moderator",
            "editor",
            "game-master"
          ]
        },
        "min": 1,
        "max": 6
      },
      "disabled": {
        "kind": "boolean"
      },
      "reason": {
        "kind": "text",
        "min": 1,
        "max": 200,
        "required": true
      }
    }
  },
  "GET /api/v1/admin/orders": {
    "right": "shop:read",
    "query": {
      "q": {
        "kind": "text",
        "min": 1,
        "max": 100
      },
      "status": {
        "kind": "choice",
        "options": [
          "pending",
          "processing",
          "shipped",
          "delivered",
          "cancelled",
          "expired",
          "refunded"
        ]
      },
      "method": {
        "kind": "choice",
        "options": [
          "wallet",
          "bank-transfer"
        ]
      },
      "proof": {
        "kind": "choice",
        "options": [
          "waiting",
          "accepted",
          "rejected",
          "replaced",
          "expired"
        ]
      },
      "from": {
        "kind": "day"
      },
      "to": {
        "kind": "day"
      }
    }
  },
  "POST /api/v1/admin/orders/{order_id}/cancel": {
    "right": "shop:write",
    "body": {
      "reason": {
        "kind": "text",
        "min": 1,
        "max": 200,
        "required": true
      }
    }
  },
  "POST /api/v1/admin/orders/{order_id}/confirm-transfer": {
    "right": "orders:confirm",
    "fresh": true,
    "body": {
      "bank": {
        "kind": "text",
        "min": 1,
        "required": true
      },
      "reference": {
        "kind": "text",
        "min": 4,
        "max": 64,
        "required": true
      },
      "amount": {
        "kind": "number",
        "required": true
      },
      "paidOn": {
        "kind": "day",
        "required": true
      },
      "confirmAmount": {
        "kind": "number"
      }
    }
  },
  "POST /api/v1/admin/orders/{order_id}/deliver": {
    "right": "shop:write"
  },
  "GET /api/v1/admin/orders/{order_id}/notes": {
    "right": "shop:read"
  },
  "POST /api/v1/admin/orders/{order_id}/notes": {
    "right": "shop:read",
    "body": {
      "text": {
        "kind": "text",
        "min": 1,
        "max": 1000,
        "required": true
      }
    }
  },
  "GET /api/v1/admin/orders/{order_id}/proofs/{proof_id}": {
    "right": "orders:confirm"
  },
  "POST /api/v1/admin/orders/{order_id}/refunds": {
    "right": "refund:ask",
    "body": {
      "lines": {
        "kind": "list",
        "of": {
          "kind": "group",
          "fields": {
            "line": {
              "kind": "integer",
              "min": 1,
              "max": 50,
              "required": true
            },
            "quantity": {
              "kind": "integer",
              "min": 1,
              "max": 99,
              "required": true
            }
          }
        },
        "max": 50,
        "required": true
      },
      "deliveryFee": {
        "kind": "boolean"
      },
      "restock": {
        "kind": "boolean",
        "required": true
      },
      "reason": {
        "kind": "text",
        "min": 1,
        "max": 200,
        "required": true
      }
    }
  },
  "POST /api/v1/admin/orders/{order_id}/reject-proof": {
    "right": "orders:confirm",
    "body": {
      "proofId": {
        "kind": "id",
        "required": true
      },
      "reason": {
        "kind": "text",
        "min": 1,
        "max": 200,
        "required": true
      }
    }
  },
  "POST /api/v1/admin/orders/{order_id}/ship": {
    "right": "shop:write",
    "body": {
      "carrier": {
        "kind": "text",
        "min": 1,
        "max": 60
      },
      "tracking": {
        "kind": "text",
        "min": 1,
        "max": 60
      }
    }
  },
  "GET /api/v1/admin/orders/{order}": {
    "right": "shop:read"
  },
  "GET /api/v1/admin/plans": {
    "right": "plans:write"
  },
  "POST /api/v1/admin/plans": {
    "right": "plans:write",
    "fresh": true,
    "body": {
      "plan": {
        "kind": "text",
        "min": 2,
        "max": 60,
        "required": true
      },
      "amount": {
        "kind": "number",
        "required": true
      },
      "duration": {
        "kind": "integer",
        "min": 1,
        "max": 1000,
        "required": true
      },
      "period": {
        "kind": "choice",
        "options": [
          "day",
          "week",
          "month",
          "year"
        ],
        "required": true
      },
      "benefits": {
        "kind": "list",
        "of": {
          "kind": "text",
          "min": 1,
          "max": 80
        },
        "min": 1,
        "max": 12,
        "required": true
      },
      "battleZone": {
        "kind": "boolean"
      },
      "hidden": {
        "kind": "boolean"
      },
      "position": {
        "kind": "integer",
        "min": 0,
        "max": 100000
      }
    }
  },
  "PATCH /api/v1/admin/plans/{plan_id}": {
    "right": "plans:write",
    "fresh": true,
    "body": {
      "version": {
        "kind": "integer",
        "min": 1,
        "required": true
      },
      "plan": {
        "kind": "text",
        "min": 2,
        "max": 60
      },
      "amount": {
        "kind": "number"
      },
      "duration": {
        "kind": "integer",
        "min": 1,
        "max": 1000
      },
      "period": {
        "kind": "choice",
        "options": [
          "day",
          "week",
          "month",
          "year"
        ]
      },
      "benefits": {
        "kind": "list",
        "of": {
          "kind": "text",
          "min": 1,
          "max": 80
        },
        "min": 1,
        "max": 12
      },
      "battleZone": {
        "kind": "boolean"
      },
      "hidden": {
        "kind": "boolean"
      },
      "position": {
        "kind": "integer",
        "min": 0,
        "max": 100000
      }
    }
  },
  "POST /api/v1/admin/plans/{plan_id}/gifts": {
    "right": "plans:write",
    "fresh": true,
    "body": {
      "userIds": {
        "kind": "list",
        "of": {
          "kind": "id"
        },
        "min": 1,
        "max": 500,
        "required": true
      },
      "periods": {
        "kind": "integer",
        "min": 1,
        "max": 12,
        "required": true
      },
      "reason": {
        "kind": "text",
        "min": 1,
        "max": 200,
        "required": true
      }
    }
  },
  "GET /api/v1/admin/products": {
    "right": "shop:write",
    "query": {
      "q": {
        "kind": "text",
        "min": 1,
        "max": 100
      }
    }
  },
  "POST /api/v1/admin/products": {
    "right": "shop:write",
    "body": {
      "name": {
        "kind": "text",
        "min": 1,
        "max": 120,
        "required": true
      },
      "price": {
        "kind": "number",
        "required": true
      },
      "description": {
        "kind": "text",
        "max": 2000
      },
      "star": {
        "kind": "integer",
        "min": 0,
        "max": 10
      },
      "hidden": {
        "kind": "boolean"
      },
      "position": {
        "kind": "integer",
        "min": 0,
        "max": 100000
      }
    }
  },
  "GET /api/v1/admin/products/{product_id}": {
    "right": "shop:write"
  },
  "PATCH /api/v1/admin/products/{product_id}": {
    "right": "shop:write",
    "body": {
      "version": {
        "kind": "integer",
        "min": 1,
        "required": true
      },
      "name": {
        "kind": "text",
        "min": 1,
        "max": 120
      },
      "price": {
        "kind": "number"
      },
      "description": {
        "kind": "text",
        "max": 2000
      },
      "star": {
        "kind": "integer",
        "min": 0,
        "max": 10
      },
      "hidden": {
        "kind": "boolean"
      },
      "position": {
        "kind": "integer",
        "min": 0,
        "max": 100000
      }
    }
  },
  "POST /api/v1/admin/products/{product_id}/picture": {
    "right": "shop:write",
    "body": {
      "file": {
        "kind": "file",
        "required": true
      }
    },
    "form": true
  },
  "POST /api/v1/admin/products/{product_id}/variants": {
    "right": "shop:write",
    "body": {
      "size": {
        "kind": "text",
        "min": 1,
        "max": 12,
        "required": true
      },
      "isDefault": {
        "kind": "boolean"
      },
      "hidden": {
        "kind": "boolean"
      },
      "position": {
        "kind": "integer",
        "min": 0,
        "max": 100000
      }
    }
  },
  "PATCH /api/v1/admin/products/{product_id}/variants/{variant_id}": {
    "right": "shop:write",
    "body": {
      "version": {
        "kind": "integer",
        "min": 1,
        "required": true
      },
      "size": {
        "kind": "text",
        "min": 1,
        "max": 12
      },
      "isDefault": {
        "kind": "boolean"
      },
      "hidden": {
        "kind": "boolean"
      },
      "position": {
        "kind": "integer",
        "min": 0,
        "max": 100000
      }
    }
  },
  "GET /api/v1/admin/proofs": {
    "right": "money:read"
  },
  "POST /api/v1/admin/proofs": {
    "right": "money:read"
  },
  "GET /api/v1/admin/questions": {
    "right": "games:read",
    "query": {
      "q": {
        "kind": "text",
        "min": 1,
        "max": 100
      },
      "kind": {
        "kind": "choice",
        "options": [
          "trivia",
          "battle",
          "visitor"
        ]
      },
      "topic": {
        "kind": "text",
        "min": 1,
        "max": 100
      },
      "club": {
        "kind": "text",
        "min": 1,
        "max": 100
      },
      "flag": {
        "kind": "choice",
        "options": [
          "too_easy",
          "too_hard",
          "wrong_key",
          "any"
        ]
      },
      "retired": {
        "kind": "boolean"
      }
    }
  },
  "POST /api/v1/admin/questions": {
    "right": "games:write",
    "body": {
      "slug": {
        "kind": "text",
        "max": 400,
        "required": true
      },
      "kind": {
        "kind": "choice",
        "options": [
          "trivia",
          "battle",
          "visitor"
        ],
        "required": true
      },
      "club": {
        "kind": "text",
        "max": 400
      },
      "topic": {
        "kind": "text",
        "max": 400,
        "required": true
      },
      "question": {
        "kind": "text",
        "max": 400,
        "required": true
      },
      "right": {
        "kind": "text",
        "max": 400,
        "required": true
      },
      "wrong_1": {
        "kind": "text",
        "max": 400,
        "required": true
      },
      "wrong_2": {
        "kind": "text",
        "max": 400,
        "required": true
      },
      "wrong_3": {
        "kind": "text",
        "max": 400,
        "required": true
      },
      "explanation": {
        "kind": "text",
        "max": 400,
        "required": true
      },
      "source": {
        "kind": "text",
        "max": 400,
        "required": true
      },
      "difficulty": {
        "kind": "integer",
        "min": 1,
        "max": 3,
        "required": true
      },
      "replaces": {
        "kind": "id"
      }
    }
  },
  "POST /api/v1/admin/questions/imports": {
    "right": "games:write",
    "body": {
      "file": {
        "kind": "file",
        "required": true
      }
    },
    "form": true
  },
  "POST /api/v1/admin/questions/imports/{import_id}/apply": {
    "right": "games:write",
    "body": {
      "digest": {
        "kind": "text",
        "min": 1,
        "max": 64,
        "required": true
      }
    }
  },
  "GET /api/v1/admin/questions/imports/{import_id}/problems.csv": {
    "right": "games:read"
  },
  "POST /api/v1/admin/questions/{question_id}/preview": {
    "right": "games:read"
  },
  "POST /api/v1/admin/questions/{question_id}/retire": {
    "right": "games:write",
    "body": {
      "reason": {
        "kind": "text",
        "min": 1,
        "max": 200,
        "required": true
      }
    }
  },
  "GET /api/v1/admin/refunds": {
    "right": "refund:ask",
    "query": {
      "state": {
        "kind": "choice",
        "options": [
          "asked",
          "sent",
          "refused"
        ]
      }
    }
  },
  "POST /api/v1/admin/refunds/{refund_id}/refuse": {
    "right": "refund:send",
    "body": {
      "reason": {
        "kind": "text",
        "min": 1,
        "max": 200,
        "required": true
      }
    }
  },
  "POST /api/v1/admin/refunds/{refund_id}/send": {
    "right": "refund:send",
    "fresh": true
  },
  "GET /api/v1/admin/review-cases": {
    "right": "money:read",
    "query": {
      "state": {
        "kind": "choice",
        "options": [
          "open",
          "accepted",
          "refused"
        ]
      }
    }
  },
  "GET /api/v1/admin/review-cases/{case_id}": {
    "right": "money:read"
  },
  "POST /api/v1/admin/review-cases/{case_id}/accept": {
    "right": "money:write",
    "fresh": true,
    "body": {
      "reason": {
        "kind": "text",
        "min": 1,
        "max": 200,
        "required": true
      }
    }
  },
  "POST /api/v1/admin/review-cases/{case_id}/refuse": {
    "right": "money:write",
    "body": {
      "reason": {
        "kind": "text",
        "min": 1,
        "max": 200,
        "required": true
      }
    }
  },
  "GET /api/v1/admin/seasons": {
    "right": "games:read"
  },
  "POST /api/v1/admin/seasons": {
    "right": "games:write",
    "body": {
      "name": {
        "kind": "text",
        "min": 1,
        "max": 60,
        "required": true
      },
      "startsAt": {
        "kind": "moment",
        "required": true
      },
      "endsAt": {
        "kind": "moment",
        "required": true
      },
      "pointPerQuestion": {
        "kind": "integer",
        "min": 1,
        "max": 1000,
        "required": true
      },
      "questionTimeLimit": {
        "kind": "integer",
        "min": 3,
        "max": 300,
        "required": true
      },
      "questionsPerDay": {
        "kind": "integer",
        "min": 1,
        "max": 100,
        "required": true
      },
      "ranks": {
        "kind": "list",
        "of": {
          "kind": "group",
          "fields": {
            "rank": {
              "kind": "text",
              "max": 40,
              "required": true
            },
            "thresholdPoint": {
              "kind": "integer",
              "min": 1,
              "max": 1000000,
              "required": true
            },
            "startsAt": {
              "kind": "moment"
            },
            "endsAt": {
              "kind": "moment"
            }
          }
        },
        "min": 1,
        "max": 20,
        "required": true
      }
    }
  },
  "PUT /api/v1/admin/seasons/{season_id}": {
    "right": "games:write",
    "body": {
      "name": {
        "kind": "text",
        "min": 1,
        "max": 60,
        "required": true
      },
      "startsAt": {
        "kind": "moment",
        "required": true
      },
      "endsAt": {
        "kind": "moment",
        "required": true
      },
      "pointPerQuestion": {
        "kind": "integer",
        "min": 1,
        "max": 1000,
        "required": true
      },
      "questionTimeLimit": {
        "kind": "integer",
        "min": 3,
        "max": 300,
        "required": true
      },
      "questionsPerDay": {
        "kind": "integer",
        "min": 1,
        "max": 100,
        "required": true
      },
      "ranks": {
        "kind": "list",
        "of": {
          "kind": "group",
          "fields": {
            "rank": {
              "kind": "text",
              "max": 40,
              "required": true
            },
            "thresholdPoint": {
              "kind": "integer",
              "min": 1,
              "max": 1000000,
              "required": true
            },
            "startsAt": {
              "kind": "moment"
            },
            "endsAt": {
              "kind": "moment"
            }
          }
        },
        "min": 1,
        "max": 20,
        "required": true
      },
      "version": {
        "kind": "integer",
        "min": 1
      }
    }
  },
  "GET /api/v1/admin/settings": {
    "right": "settings:write"
  },
  "PUT /api/v1/admin/settings": {
    "right": "settings:write",
    "fresh": true,
    "body": {
      "adjustmentLimit": {
        "kind": "number"
      },
      "adjustmentDayLimit": {
        "kind": "number"
      },
      "refundLimit": {
        "kind": "number"
      },
      "refundDayLimit": {
        "kind": "number"
      },
      "confirmDayLimit": {
        "kind": "number"
      },
      "giftLimit": {
        "kind": "integer",
        "min": 0,
        "max": 500
      },
      "transferUnitsLimit": {
        "kind": "integer",
        "min": 0,
        "max": 5000
      },
      "transferValueLimit": {
        "kind": "number"
      },
      "version": {
        "kind": "integer",
        "min": 1,
        "required": true
      },
      "transferAccount": {
        "kind": "group",
        "fields": {
          "accountName": {
            "kind": "text",
            "min": 2,
            "max": 100,
            "required": true
          },
          "accountNumber": {
            "kind": "text",
            "required": true
          },
          "bank": {
            "kind": "text",
            "min": 2,
            "max": 100,
            "required": true
          }
        }
      },
      "stateRequired": {
        "kind": "boolean"
      },
      "quietFrom": {
        "kind": "text"
      },
      "quietTo": {
        "kind": "text"
      },
      "legal": {
        "kind": "group",
        "fields": {
          "name": {
            "kind": "text",
            "min": 2,
            "max": 200,
            "required": true
          },
          "address": {
            "kind": "text",
            "min": 2,
            "max": 200,
            "required": true
          },
          "email": {
            "kind": "text",
            "max": 254,
            "required": true
          },
          "phone": {
            "kind": "text",
            "required": true
          },
          "regulator": {
            "kind": "text",
            "min": 2,
            "max": 200
          },
          "effective": {
            "kind": "day",
            "required": true
          }
        }
      },
      "newTerms": {
        "kind": "choice",
        "options": [
          "ask",
          "inform"
        ]
      },
      "reason": {
        "kind": "text",
        "min": 1,
        "max": 200
      }
    }
  },
  "POST /api/v1/admin/sign-in": {
    "right": null,
    "body": {
      "email": {
        "kind": "text",
        "max": 254,
        "required": true
      },
      "password": {
        "kind": "text",
        "max": 1024,
        "required": true
      },
      "code": {
        "kind": "text",
        "max": 1024,
        "required": true
      }
    }
  },
  "POST /api/v1/admin/sign-out": {
    "right": null
  },
  "POST /api/v1/admin/stock": {
    "right": "shop:write",
    "body": {
      "productId": {
        "kind": "id",
        "required": true
      },
      "variantId": {
        "kind": "id"
      },
      "change": {
        "kind": "integer",
        "required": true
      },
      "reason": {
        "kind": "text",
        "min": 1,
        "max": 200,
        "required": true
      }
    }
  },
  "POST /api/v1/admin/subscriptions/{subscription_id}/refunds": {
    "right": "refund:ask",
    "body": {
      "amount": {
        "kind": "number",
        "required": true
      },
      "end": {
        "kind": "boolean",
        "required": true
      },
      "reason": {
        "kind": "text",
        "min": 1,
        "max": 200,
        "required": true
      }
    }
  },
  "GET /api/v1/admin/today": {
    "right": null
  },
  "GET /api/v1/admin/trivia/schedule": {
    "right": "games:read",
    "query": {
      "from": {
        "kind": "day"
      },
      "to": {
        "kind": "day"
      }
    }
  },
  "GET /api/v1/admin/trivia/schedule/{day}/{club}": {
    "right": "games:read"
  },
  "PUT /api/v1/admin/trivia/schedule/{day}/{club}": {
    "right": "games:write",
    "body": {
      "questionIds": {
        "kind": "list",
        "of": {
          "kind": "id"
        },
        "max": 20,
        "required": true
      }
    }
  },
  "GET /api/v1/admin/webhooks": {
    "right": "money:read",
    "query": {
      "state": {
        "kind": "choice",
        "options": [
          "matched",
          "unmatched",
          "failed",
          "ignored"
        ]
      }
    }
  },
  "POST /api/v1/admin/webhooks/{webhook_id}/ignore": {
    "right": "money:write",
    "body": {
      "reason": {
        "kind": "text",
        "min": 1,
        "max": 200,
        "required": true
      }
    }
  },
  "POST /api/v1/admin/webhooks/{webhook_id}/replay": {
    "right": "money:write"
  }
} as const satisfies Record<string, CallFacts>;
