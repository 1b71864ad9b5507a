import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useEffect, useRef, useState } from "react";
import {
  NEXT_OF_KIN_MAX_LENGTHS,
  PROFILE_MAX_LENGTHS,
  SETTLEMENT_MAX_LENGTHS,
} from "@/api/max-lengths.gen";
import { rememberProfile } from "@/api/profile";
import { keys } from "@/api/query-keys";
import { invalidateAfter } from "@/api/stale";
import type { Profile } from "@/api/wire";
import { saveProfile } from "@/features/profile/api";
import {
  differs,
  formFields,
  NOT_A_BIRTHDAY,
  type ProfileValues,
  validateProfile,
  valuesOf,
} from "@/features/profile/rules";
import { Refusal } from "@/lib/live/failures";
import { showFailure } from "@/lib/ui/show-failure";
import { showToast } from "@/lib/ui/toasts";
import { useForm } from "@/lib/ui/use-form";

const MAX_LENGTHS: Partial<Record<keyof ProfileValues, number>> = {
  ...PROFILE_MAX_LENGTHS,
  ...SETTLEMENT_MAX_LENGTHS,
  ...NEXT_OF_KIN_MAX_LENGTHS,
};

const PHONE_TAKEN = "account_exists";

/** The form over the member's record: filled by the server's response, on loading and saving. */
export function useProfileForm(profile: Profile) {
  const saved = valuesOf(profile);
  const form = useForm<ProfileValues>(saved, validateProfile);
  const [picture, setPicture] = useState<File | null>(null);
  const take = (record: Profile) => {
    for (const [name, value] of Object.entries(valuesOf(record))) {
      form.set(name as keyof ProfileValues, value);
    }
  };
  useFollowing(profile, form.values, take);
  const latest = useRef(form.values);
  useEffect(() => {
    latest.current = form.values;
  }, [form.values]);
  const mutation = useSave(profile.id, {
    onSaved: (record, sent) => {
      setPicture((current) => (current === sent.picture ? null : current));
      if (!differs(latest.current, sent.values)) {
        take(record); // else the member has typed on meanwhile
      }
    },
    onRefused: form.refuse,
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    const halfDate = halfTypedDate(event.currentTarget);
    if (halfDate !== null) {
      event.preventDefault();
      form.refuse({ dateOfBirth: NOT_A_BIRTHDAY });
      halfDate.focus();
      return;
    }
    form.submit((values) => mutation.mutate({ values, picture }))(event);
  };
  return {
    values: form.values,
    picture,
    setPicture,
    submit,
    saving: mutation.isPending,
    unsaved: picture !== null || differs(form.values, saved),
    bind: (name: keyof ProfileValues) => ({
      name,
      maxLength: MAX_LENGTHS[name],
      value: form.values[name],
      error: form.errors[name],
      onChange: (value: string) => form.set(name, value),
    }),
  };
}

/** A refetched record fills a form without changes. */
function useFollowing(
  profile: Profile,
  values: ProfileValues,
  take: (record: Profile) => void,
): void {
  const shown = useRef(profile);
  useEffect(() => {
    if (shown.current === profile) {
      return;
    }
    const untouched = !differs(values, valuesOf(shown.current));
    shown.current = profile;
    if (untouched) {
      take(profile);
    }
  }, [profile, values, take]);
}

interface Sent {
  values: ProfileValues;
  picture: File | null;
}

interface SaveOutcome {
  onSaved: (record: Profile, sent: Sent) => void;
  onRefused: (errors: Record<string, string>) => void;
}

function useSave(userId: string, { onSaved, onRefused }: SaveOutcome) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ values, picture }: Sent) => saveProfile(userId, values, picture),
    onSuccess: async ({ data, message }, sent) => {
      // A fetch that began before the save would restore the old record.
      await queryClient.cancelQueries({ queryKey: keys.profile(userId) });
      queryClient.setQueryData(keys.profile(userId), data);
      onSaved(data, sent);
      rememberProfile(data);
      showToast("success", message);
      void invalidateAfter(queryClient, "profile-saved", userId);
    },
    onError: (error) => {
      showFailure(error);
      if (error instanceof Refusal) {
        const taken = error.code === PHONE_TAKEN ? { phone: error.message } : {};
        onRefused({ ...formFields(error.fields), ...taken });
      }
    },
  });
}

/** The date input with a partial date: its value is empty then. */
function halfTypedDate(form: HTMLFormElement): HTMLInputElement | null {
  const input = form.elements.namedItem("dateOfBirth");
  return input instanceof HTMLInputElement && input.validity?.badInput ? input : null;
}
