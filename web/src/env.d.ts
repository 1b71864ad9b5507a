interface ImportMetaEnv {
  /** Where the public site's legal pages are, such as `https://site.example/legal`. */
  readonly VITE_PUBLIC_SITE_URL?: string;
}
