import type { HttpRequest } from '@rowkey/rest'
import { Rejection } from '../rejection/rejection.ts'
import type { AccountKeys } from './account.ts'

/** The account that a request is for, and the rest of its path. */
export interface Located {
  /** The name of the account, without `-secondary`. */
  readonly account: string
  /** Whether the request came to the read-only secondary location, `contoso-secondary`. */
  readonly isSecondary: boolean
  /** Empty in host style, `/account` in path style. */
  readonly basePath: string
  /** The path below the account, still percent-encoded; begins with `/`. */
  readonly resourcePath: string
}

const SECONDARY = '-secondary'

/** The address of this machine does not name an account called `127`. */
const IPV4 = /:\/\/\d+\.\d+\.\d+\.\d+(?::\d*)?$/

/**
 * Finds the account: in the first label of the host (`contoso.table.localhost`), or else in the
 * first segment of the path (`127.0.0.1:10002/contoso`). Either may end with `-secondary`.
 *
 * @throws Rejection InvalidUri, or AuthenticationFailed for an unknown account
 */
export function locateAccount(
  accounts: AccountKeys,
  request: Pick<HttpRequest, 'origin' | 'path'>,
): Located {
  const label = firstLabel(request.origin)
  if (accounts.has(primaryOf(label)) && !IPV4.test(request.origin)) {
    return locatedAt(label, '', request.path)
  }
  const end = request.path.indexOf('/', 1)
  const basePath = end < 0 ? request.path : request.path.slice(0, end)
  const segment = basePath.slice(1)
  if (segment === '') throw new Rejection('InvalidUri')
  if (!accounts.has(primaryOf(segment))) throw new Rejection('AuthenticationFailed')
  const resourcePath = end < 0 ? '/' : request.path.slice(end)
  return locatedAt(segment, basePath, resourcePath)
}

/** Removes `-secondary` from a name. The names of accounts contain no dash. */
export function primaryOf(name: string): string {
  return name.endsWith(SECONDARY) ? name.slice(0, -SECONDARY.length) : name
}

function locatedAt(name: string, basePath: string, resourcePath: string): Located {
  const account = primaryOf(name)
  return { account, isSecondary: account !== name, basePath, resourcePath }
}

function firstLabel(origin: string): string {
  const start = origin.indexOf('://') + 3
  const dot = origin.indexOf('.', start)
  return dot < 0 ? '' : origin.slice(start, dot).toLowerCase()
}
