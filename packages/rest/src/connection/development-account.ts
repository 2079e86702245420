/** The name of the well-known account that every emulator of the service starts with. */
export const DEVELOPMENT_ACCOUNT = 'devstoreaccount1'

/** The key of {@link DEVELOPMENT_ACCOUNT}. It is published, the same everywhere, and guards nothing. */
export const DEVELOPMENT_KEY: string =
  'Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw=='

/** The port on which emulators serve tables. */
export const DEVELOPMENT_TABLE_PORT = 10002
