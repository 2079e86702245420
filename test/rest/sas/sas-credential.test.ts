import { inspect } from 'node:util'
import { SasCredential } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { contoso, read, write } from '../people.ts'

const token = 'sv=2019-02-02&tn=people&sp=r&sig=c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0c2U%3D'

describe('SasCredential', () => {
  it('R-65: adds the token to the end of the query, without a signature', async () => {
    const credential = new SasCredential(token)
    expect(await credential.authorize(read, contoso, 0)).toEqual({ ...read, query: token })
    const query = { ...read, query: '$top=1' }
    expect(await credential.authorize(query, contoso, 0)).toMatchObject({
      query: `$top=1&${token}`,
    })
  })

  it('removes a leading question mark', async () => {
    const { query } = await new SasCredential(`?${token}`).authorize(read, contoso, 0)
    expect(query).toBe(token)
  })

  it('R-81: rejects what the token does not allow, unless only the service checks', async () => {
    const authorize = async (credential: SasCredential) => credential.authorize(write, contoso, 0)
    await expect(authorize(new SasCredential(token))).rejects.toMatchObject({
      code: 'OutsideSasScope',
      details: { missing: 'permission' },
    })
    const trusting = new SasCredential(token, { checks: 'by the service' })
    await expect(authorize(trusting)).resolves.toBeDefined()
  })

  it('rejects a signature that no key can have made, unless only the service checks', () => {
    const cut = token.slice(0, -3)
    expect(() => new SasCredential(cut)).toThrow(
      expect.objectContaining({ code: 'InvalidCredential' }),
    )
    expect(() => new SasCredential(cut, { checks: 'by the service' })).not.toThrow()
  })

  it('judges at once after its first call', async () => {
    const credential = new SasCredential(token)
    await credential.authorize(read, contoso, 0)
    expect(credential.authorize(read, contoso, 0)).toEqual({ ...read, query: token })
    expect(() => credential.authorize(write, contoso, 0)).toThrow(
      expect.objectContaining({ code: 'OutsideSasScope' }),
    )
  })

  it('knows its expiry, unless a stored policy sets it', () => {
    const credential = new SasCredential(`${token}&se=2099-01-01T00%3A00%3A00Z`)
    expect(credential.expiry).toBe(Date.UTC(2099, 0))
    expect(new SasCredential(token).expiry).toBeUndefined()
  })

  it('rejects an invalid value of checks and an unknown option', () => {
    const make = (options: object) => () => new SasCredential(token, options)
    expect(make({ checks: 'never' })).toThrow(/'before sending' or 'by the service'/)
    expect(make({ check: true })).toThrow(/check/)
  })

  it('never shows the token', () => {
    const credential = new SasCredential(token)
    const shown = inspect(credential, { showHidden: true }) + JSON.stringify(credential)
    expect(shown).not.toContain('c2VjcmV0')
  })

  it.each([
    '',
    '?',
    'sv=2019-02-02',
    'sig=c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0c2U%3D',
    `${token} x`,
    `${token}\r\nx: y`,
    7,
    null,
  ])('rejects %j without showing it', (text) => {
    const make = () => new SasCredential(text as string)
    expect(make).toThrow(expect.objectContaining({ code: 'InvalidCredential' }))
    expect(make).not.toThrow(/c2VjcmV0/)
  })
})
