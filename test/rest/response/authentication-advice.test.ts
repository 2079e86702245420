import { AuthenticationError, getEntity } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { checkResponse } from '../../../packages/rest/src/response/check-response.ts'
import { contoso, jeff, read } from '../people.ts'

const NOON = Date.UTC(2026, 10, 20, 12)

/** The message for a 403 that this machine received at a time. */
async function adviceAt(
  now: number,
  date?: string,
  code = 'AuthenticationFailed',
): Promise<string> {
  const body = JSON.stringify({ 'odata.error': { code, message: { value: 'No.' } } })
  const response = { status: 403, headers: { ...(date !== undefined && { date }) }, body }
  const attempt = { request: read, input: jeff, endpoint: contoso, strict: false, now: () => now }
  const error = await checkResponse(getEntity, response, attempt)?.catch(
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof AuthenticationError)) return expect.fail('throws an AuthenticationError')
  return error.message
}

describe('an AuthenticationError', () => {
  it('names the account, the key and the clock', async () => {
    expect(await adviceAt(NOON)).toMatch(/'contoso'.*key.*clock/)
  })

  it('R-63: says how far the clock is off, by the date of the response', async () => {
    const date = 'Fri, 20 Nov 2026 12:00:00 GMT'
    expect(await adviceAt(NOON - 20 * 60_000, date)).toMatch(/20 minutes behind/)
    expect(await adviceAt(NOON + 16 * 60_000, date)).toMatch(/16 minutes ahead of/)
    expect(await adviceAt(NOON + 60_000, date)).not.toMatch(/minutes/)
  })

  it.each(['', 'soon'])('ignores the date %j', async (date) => {
    expect(await adviceAt(NOON, date)).toMatch(/key may be wrong/)
  })

  it.each([
    ['AccountIsDisabled', /Enable the account/],
    ['AuthorizationPermissionMismatch', /permission.*'r' to read.*role/],
    [
      'AuthorizationProtocolMismatch',
      /Use an https endpoint, or a SAS with the protocol 'https,http'/,
    ],
    ['AuthorizationResourceTypeMismatch', /resource type.*'o'.*'c'.*'s'/],
    ['AuthorizationServiceMismatch', /services include tables: 't'/],
    ['AuthorizationSourceIPMismatch', /does not permit the IP address/],
    ['InsufficientAccountPermissions', /send writes to the primary endpoint/],
  ])('says what to do after %s, which neither key nor clock can cause', async (code, advice) => {
    const message = await adviceAt(NOON - 20 * 60_000, 'Fri, 20 Nov 2026 12:00:00 GMT', code)
    expect(message).toMatch(/The account is 'contoso'/)
    expect(message).toMatch(advice)
    expect(message).not.toMatch(/clock|key may be wrong/)
  })

  it('names token and clock after InvalidAuthenticationInfo', async () => {
    const code = 'InvalidAuthenticationInfo'
    expect(await adviceAt(NOON, undefined, code)).toMatch(/token may be expired.*clock/)
    const date = 'Fri, 20 Nov 2026 12:00:00 GMT'
    expect(await adviceAt(NOON - 20 * 60_000, date, code)).toMatch(/20 minutes behind/)
  })

  it('names the key, the clock and the permission after any other code', async () => {
    expect(await adviceAt(NOON, undefined, 'AuthorizationFailure')).toMatch(
      /key.*clock.*permission/,
    )
  })
})
