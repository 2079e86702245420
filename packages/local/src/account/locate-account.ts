import type { HttpRequest } from '@rowkey/rest'
import { Rejection } from '../rejection/rejection.ts'
import type { AccountKeys } from './account.ts'

/** Which account a request is for, and what is left of its path. */
export interface Located {
  /** The name of the account, without `-secondary`. */
  readonly account: string
  /** Whether it came to the account's second, read-only place: `contoso-secondary`. */
  readonly isSecondary: boolean
  /** Empty in host style, `/account` in path style. */
  readonly basePath: string
  /** The path below the account, still percent-encoded; begins with `/`. */
  readonly resourcePath: string
}

const SECONDARY = '-secondary'

/** An account may be called `127`, and is not meant by the address of this machine. */
const IPV4 = /:\/\/\d+\.\d+\.\d+\.\d+(?::\d*)?$/

/**
 * Finds the account: by the first label of the host (`contoso.table.localhost`), or else by the
 * first segment of the path (`127.0.0.1:10002/contoso`). Either may end with `-secondary`.
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

/** The name without `-secondary`. No account's own name holds a dash. */
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
