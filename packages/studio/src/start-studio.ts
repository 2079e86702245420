import { randomBytes } from 'node:crypto'
import type { Studio, StudioSettings } from '@rowkey/cli'
import { pageFolder } from './server/page-files.ts'
import { tableNames } from './server/read-api.ts'
import { RowTypes } from './server/row-types.ts'
import { listen } from './server/studio-server.ts'

/**
 * Starts a studio: a page for the tables of an account, and the server behind it on 127.0.0.1. `rowkey studio` calls it.
 *
 * @param settings - the account, and how the studio is reached
 * @returns the studio, when it listens
 * @throws InputError with the code `PortTaken` when it cannot listen, and `InvalidArgument` for a module without models
 * @throws the error of the account, when its tables cannot be read
 *
 * @example
 * ```ts
 * const studio = await startStudio({ account, facts, port: 0, signal })
 * console.log(studio.url)
 * ```
 */
export async function startStudio(settings: StudioSettings): Promise<Studio> {
  const { account, models, signal } = settings
  const types = models === undefined ? new RowTypes() : RowTypes.of(models.exports, models.path)
  // Wrong keys and unreachable accounts are reported here, as other commands do.
  await tableNames(account, signal)
  return listen({
    ...settings,
    types,
    folder: pageFolder(),
    random: () => randomBytes(32).toString('base64url'),
  })
}
