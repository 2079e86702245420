/**
 * Puts the embedded service into a bundle: `import 'rowkey/embedded'`. Programs that run unbundled load it
 * themselves.
 */
import { localTableService } from '@rowkey/local'
import { provideEmbedded } from '../targets/embedded-package.ts'

provideEmbedded({ localTableService })
