import { type Rule, rule, showingText } from '@rowkey/odata'
import { runtimeText } from './platform.ts'

/** The version of the packages, which the build writes here; sources that run without a build have none. */
declare const ROWKEY_VERSION: string | undefined

const VERSION = typeof ROWKEY_VERSION === 'undefined' ? 'source' : ROWKEY_VERSION

/** The form and the length of the guidelines for Azure clients. */
const APPLICATION_ID = /^[\w./-]{1,24}$/

/** The rule of an application id. */
export const applicationIdRule: Rule = showingText(
  rule(
    "false or 1 to 24 letters, digits and . _ - /, such as 'shop/2.1'",
    (value) => value === false || (typeof value === 'string' && APPLICATION_ID.test(value)),
  ),
)

/** The options of an account that decide its `User-Agent`. */
interface UserAgentOptions {
  /** Comes first; `false` for no `User-Agent`. */
  readonly applicationId?: string | false | undefined
  /** Whether a build for browsers and workers runs on a server. */
  readonly runsOnServer?: boolean | undefined
}

/**
 * Returns the `User-Agent` of requests, such as `shop/2.1 rowkey/1.0.0 (node 24.1.0; linux; x64)`.
 *
 * @param options - the options of an account
 * @returns `undefined` in pages, whose own name the browser sends
 */
export function userAgentOf({
  applicationId,
  runsOnServer = false,
}: UserAgentOptions): string | undefined {
  const runtime = runtimeText(runsOnServer)
  if (applicationId === false || runtime === undefined) return undefined
  const rowkey = `rowkey/${VERSION} (${runtime})`
  return applicationId === undefined ? rowkey : `${applicationId} ${rowkey}`
}
