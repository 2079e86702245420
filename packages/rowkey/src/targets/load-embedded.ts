import { rowkeyInputError } from '../errors/codes.ts'
import { type EmbeddedPackage, providedEmbedded } from './embedded-package.ts'

/**
 * Loads the embedded service, unless the program has imported it.
 *
 * @param load - finds or imports the package of the embedded service
 * @throws InputError (`MissingDependency`) when that fails
 */
export async function loadEmbedded(
  load: () => Promise<EmbeddedPackage> = findOrImport,
): Promise<EmbeddedPackage> {
  try {
    return await load()
  } catch (cause) {
    throw rowkeyInputError({
      code: 'MissingDependency',
      message:
        '@rowkey/local, the embedded service, could not be loaded. Nothing was sent. Install rowkey ' +
        'with its dependencies and let the bundler include @rowkey/local.',
      cause,
    })
  }
}

async function findOrImport(): Promise<EmbeddedPackage> {
  return providedEmbedded() ?? (await import('@rowkey/local'))
}
