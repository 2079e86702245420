import { beforeEach, describe, expect, it } from 'vitest'
import { Conversation, xmlCodeOf } from '../../support/local-conversation.ts'
import { accountSas, tableSas } from '../../support/local-sas.ts'

const row = "/people(PartitionKey='p',RowKey='r')"
const FAILED = [403, 'AuthenticationFailed']
const bare = { sp: undefined, se: undefined }
const policy = (id: string, terms: string) =>
  `<SignedIdentifier><Id>${id}</Id><AccessPolicy>${terms}</AccessPolicy></SignedIdentifier>`

describe('sasPolicyOf', () => {
  let service: Conversation
  beforeEach(async () => {
    service = await Conversation.withTable('people')
    await setPolicies(
      policy(
        'whole',
        '<Start>2026-11-20</Start><Expiry>2026-11-21</Expiry><Permission>r</Permission>',
      ),
      policy('permission', '<Permission>r</Permission>'),
      policy('expiry', '<Expiry>2026-11-21</Expiry>'),
      policy(
        'late',
        '<Start>2026-11-21</Start><Expiry>2026-11-22</Expiry><Permission>r</Permission>',
      ),
    )
  })

  const setPolicies = (...policies: string[]) =>
    service.send('PUT', '/people?comp=acl', {
      body: `<SignedIdentifiers>${policies.join('')}</SignedIdentifiers>`,
    })
  const read = (fields: Record<string, string | undefined>, of = tableSas) =>
    service.send('GET', row, { sas: of(fields) })

  it('R-72: reads permissions and times from the stored policy', async () => {
    expect((await read({ ...bare, si: 'whole' })).status).toBe(404)
    expect((await read({ si: 'permission', sp: undefined })).status).toBe(404)
    expect((await read({ si: 'expiry', se: undefined })).status).toBe(404)
    expect((await read({ si: 'whole', sp: '', se: '' })).status).toBe(404)
  })

  it.each([
    ['an id that no policy has', { ...bare, si: 'other' }],
    ['an empty id', { ...bare, si: '' }],
    ['permissions in both places', { si: 'permission' }],
    ['an expiry in both places', { si: 'expiry' }],
    ['a start in both places', { ...bare, si: 'whole', st: '2026-11-20' }],
    ['an expiry in neither place', { si: 'permission', ...bare }],
    ['permissions in neither place', { si: 'expiry', ...bare }],
    ['no permissions and no policy', { sp: undefined }],
    ['no expiry and no policy', { se: undefined }],
    ['an invalid expiry', { se: 'tomorrow' }],
    ['an invalid start', { st: '2026-11-20T11:00:00+00:00' }],
    ['a policy that has not begun', { ...bare, si: 'late' }],
  ])('R-72: rejects %s', async (_, fields) => {
    expect(xmlCodeOf(await read(fields))).toEqual(FAILED)
  })

  it('R-74: is revoked with the policy, or with the table', async () => {
    const sas = { ...bare, si: 'whole' }
    await setPolicies(policy('renamed', '<Permission>r</Permission>'))
    expect(xmlCodeOf(await read(sas))).toEqual(FAILED)
    await service.send('DELETE', "/Tables('people')")
    expect(xmlCodeOf(await read(sas))).toEqual(FAILED)
  })

  it('R-80: finds no policies for an account', async () => {
    expect(xmlCodeOf(await read({ ...bare, si: 'whole' }, accountSas))).toEqual(FAILED)
  })

  it('R-74: belongs to its own table', async () => {
    await service.send('POST', '/Tables', { body: { TableName: 'others' } })
    expect(xmlCodeOf(await read({ ...bare, tn: 'others', si: 'whole' }))).toEqual(FAILED)
  })
})
