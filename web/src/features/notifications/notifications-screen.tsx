import "@/features/notifications/notifications.css";
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import {
  Bell,
  CalendarDays,
  CreditCard,
  type LucideIcon,
  Package,
  Trophy,
  Users,
  Wallet,
} from "lucide-react";
import { useState } from "react";
import { Link } from "react-router-dom";
import { invalidateAfter } from "@/api/stale";
import { setUnread, unreadNotificationsQuery } from "@/api/unread-notifications";
import type { Notification } from "@/api/wire";
import { Button } from "@/components/button";
import { EmptyState } from "@/components/empty-state";
import { Loaded } from "@/components/loaded";
import { Panel } from "@/components/panel";
import { Skeleton } from "@/components/skeleton";
import { markRead, notificationsQuery } from "@/features/notifications/api";
import { type Group, groupOf } from "@/features/notifications/rules";
import { SettingsPanels } from "@/features/notifications/settings-panels";
import { dayName, dayOf, formatMoment } from "@/lib/format/dates";
import { useMember } from "@/lib/session/session";
import { showFailure } from "@/lib/ui/show-failure";

const ICONS: Record<Group, LucideIcon> = {
  money: Wallet,
  orders: Package,
  plans: CreditCard,
  community: Users,
  games: Trophy,
  matches: CalendarDays,
};
const LOADING_ROWS = ["first", "second", "third", "fourth"];

/** The member's notifications, newest first, and their mail preferences. */
export default function NotificationsScreen() {
  const { id } = useMember();
  const notifications = useInfiniteQuery(notificationsQuery(id));
  const read = useMarkRead(id);
  return (
    <div className="notifications">
      <Panel title="Latest" className="notifications-latest" action={<ReadAll read={read} />}>
        <Loaded query={notifications} pending={<Waiting />}>
          {({ pages }) => <Rows rows={pages.flat()} onOpen={(row) => openedOne(row, read)} />}
        </Loaded>
        {notifications.hasNextPage ? (
          <Button
            variant="secondary"
            busy={notifications.isFetchingNextPage}
            onClick={() => void notifications.fetchNextPage()}
          >
            Show older
          </Button>
        ) : null}
      </Panel>
      <SettingsPanels />
    </div>
  );
}

type MarkRead = ReturnType<typeof useMarkRead>;

function openedOne({ id, readAt }: Notification, read: MarkRead): void {
  if (readAt === null) {
    read.mutate(id);
  }
}

/** Hidden while nothing is unread; once pressed it stays, so that a keyboard does not lose it. */
function ReadAll({ read }: { read: MarkRead }) {
  const { data: unread = 0 } = useQuery(unreadNotificationsQuery(useMember().id));
  const [wasPressed, setPressed] = useState(false);
  const hasNothing = unread === 0;
  if (hasNothing && !wasPressed) {
    return null;
  }
  return (
    <Button
      variant="quiet"
      aria-disabled={hasNothing}
      busy={read.isPending && read.variables === "all"}
      onClick={() => {
        if (!hasNothing) {
          setPressed(true);
          read.mutate("all");
        }
      }}
    >
      Mark all as read
    </Button>
  );
}

function Rows({ rows, onOpen }: { rows: Notification[]; onOpen: (row: Notification) => void }) {
  if (rows.length === 0) {
    return (
      <EmptyState icon={Bell} title="You have no notifications.">
        Updates about your wallet, orders and plans, your club, chats and moments, games and matches
        appear here.
      </EmptyState>
    );
  }
  const days = new Map<string, Notification[]>();
  for (const row of rows) {
    const day = dayOf(Date.parse(row.createdAt));
    days.set(day, [...(days.get(day) ?? []), row]);
  }
  return [...days].map(([day, notifications]) => (
    <section key={day} aria-labelledby={`told-${day}`}>
      <h3 id={`told-${day}`} className="small muted">
        {dayName(Date.parse(notifications[0]?.createdAt ?? day), Date.now())}
      </h3>
      <ol className="row-list">
        {notifications.map((row) => (
          <Row key={row.id} row={row} onOpen={() => onOpen(row)} />
        ))}
      </ol>
    </section>
  ));
}

function Row({ row, onOpen }: { row: Notification; onOpen: () => void }) {
  const Icon = ICONS[groupOf(row.kind)];
  const isUnread = row.readAt === null;
  return (
    <li>
      <Link
        className={isUnread ? "notification is-unread" : "notification"}
        to={row.link}
        onClick={onOpen}
      >
        <span className="notification-icon">
          <Icon aria-hidden="true" />
        </span>
        <span className="notification-words">
          {isUnread ? <span className="visually-hidden">Unread: </span> : null}
          <strong>{row.title}</strong>
          <span>{row.body}</span>
          <span className="small muted">{formatMoment(row.createdAt)}</span>
        </span>
      </Link>
    </li>
  );
}

function Waiting() {
  return (
    <ol className="row-list" aria-busy="true">
      {LOADING_ROWS.map((row) => (
        <li key={row} className="notification-waiting">
          <Skeleton width="60%" />
          <Skeleton width="85%" />
        </li>
      ))}
    </ol>
  );
}

function useMarkRead(userId: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: markRead,
    onSuccess: async (unread) => {
      await setUnread(queryClient, userId, unread);
      await invalidateAfter(queryClient, "notifications-read", userId);
    },
    onError: showFailure,
  });
}
