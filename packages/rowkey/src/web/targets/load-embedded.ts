import { rowkeyInputError } from '../../errors/codes.ts'
import { providedEmbedded } from '../../targets/embedded-package.ts'
import type { loadEmbedded as Unbundled } from '../../targets/load-embedded.ts'

/**
 * Returns the embedded service that the program imported, in a bundle. No bundler can see which target a program opens, so
 * a bundle contains the service only by an import.
 *
 * @throws InputError (`MissingDependency`) without `import 'rowkey/embedded'`
 */
export const loadEmbedded: typeof Unbundled = async () => {
  const embedded = providedEmbedded()
  if (embedded !== undefined) return embedded
  throw rowkeyInputError({
    code: 'MissingDependency',
    message:
      "connect('memory:') and connect('file:…') need the embedded service, which is not in this bundle. Add " +
      "import 'rowkey/embedded' beside the import of connect.",
  })
}
