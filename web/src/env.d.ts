interface ImportMetaEnv {
  /** The base URL of the public site's legal pages, such as `https://site.example/legal`. */
  readonly VITE_PUBLIC_SITE_URL?: string;
}
