import { type EmbeddedPackage, providedEmbedded } from './embedded-package.ts'

/** Loads the embedded service, unless the program has imported it. */
export async function loadEmbedded(): Promise<EmbeddedPackage> {
  return providedEmbedded() ?? (await import('@rowkey/local'))
}
