import { endpointOf, withoutTrailingSlashes } from '../endpoint/endpoint-of.ts'
import { restInputError } from '../errors/codes.ts'
import { SasCredential } from '../sas/sas-credential.ts'
import type { ConnectionSettings } from './connection-string.ts'

/**
 * Parses a URL with a shared access signature, as portals and {@link SharedAccessSignature} write it:
 * `https://contoso.table.core.windows.net/people?sv=…&tn=people&sp=r&sig=…`.
 *
 * @param url - the URL; the table of the signature may be at the end of its path
 * @throws `InputError` (`InvalidEndpoint` or `InvalidCredential`), without the URL
 *
 * @example
 * ```ts
 * const service = tableService(parseSasUrl(process.env.TABLES_SAS_URL!))
 * ```
 */
export function parseSasUrl(url: string): ConnectionSettings {
  const parsed = URL.canParse(url) ? new URL(url) : undefined
  if (parsed === undefined || parsed.hash !== '' || parsed.username !== '' || parsed.password) {
    throw restInputError({
      code: 'InvalidEndpoint',
      message:
        'The URL with a shared access signature is invalid: it must begin with https:// and have no user and no fragment.',
    })
  }
  const { origin, pathname, search, searchParams } = parsed
  const credential = new SasCredential(search)
  return {
    endpoint: endpointOf(origin + withoutTable(pathname, searchParams.get('tn'))),
    credential,
  }
}

function withoutTable(path: string, table: string | null): string {
  const base = withoutTrailingSlashes(path)
  const suffix = `/${table}`.toLowerCase()
  return base.toLowerCase().endsWith(suffix) ? base.slice(0, -suffix.length) : base
}
