import { TableNotFoundError } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { AccessPolicies } from '../../../../packages/mapper/src/table/admin/access-policies.ts'
import { Customer } from '../../customer.ts'
import { freshAccount, freshTable } from '../../fresh-account.ts'

const readers = { id: 'readers', permissions: 'r', expiry: new Date('2099-01-01T00:00:00Z') }
const writers = { id: 'writers', permissions: 'raud', start: new Date('2026-11-20T12:00:00Z') }

describe('the access policies of a table', () => {
  it('R-74: are empty at first, and can be set', async () => {
    const { table } = await freshTable(Customer)
    expect(table.accessPolicies).toBeInstanceOf(AccessPolicies)
    expect(await table.accessPolicies.get()).toEqual([])
    await table.accessPolicies.set([readers, writers])
    expect(await table.accessPolicies.get()).toMatchObject([
      { id: 'readers', permissions: 'r' },
      { id: 'writers', permissions: 'raud' },
    ])
    await table.accessPolicies.set([])
    expect(await table.accessPolicies.get()).toEqual([])
  })

  it('R-74: are set as they were when the call was made', async () => {
    const { table } = await freshTable(Customer)
    const list = [{ ...readers }]
    const set = table.accessPolicies.set(list)
    for (const policy of list.splice(0)) policy.permissions = 'raud'
    await set
    expect(await table.accessPolicies.get()).toMatchObject([{ id: 'readers', permissions: 'r' }])
  })

  it('R-75: loses one by its id, and keeps the others as they were', async () => {
    const { table, sent } = await freshTable(Customer)
    await table.accessPolicies.set([readers, writers])
    sent.length = 0
    expect(await table.accessPolicies.revoke('readers')).toBe(true)
    expect(sent.map(({ method }) => method)).toEqual(['GET', 'PUT'])
    const [left, ...others] = await table.accessPolicies.get()
    expect(others).toEqual([])
    expect(left).toMatchObject({ id: 'writers', permissions: 'raud' })
    expect(left?.start?.getTime()).toBe(writers.start.getTime())
  })

  it('R-75: reads and writes at the primary, both within one deadline', async () => {
    const { table, sent, service } = await freshTable(Customer)
    await table.accessPolicies.set([readers])
    sent.length = 0
    await table.accessPolicies.revoke('readers', { locationMode: 'secondaryOnly' })
    expect(sent.map(({ path }) => path.includes('-secondary'))).toEqual([false, false])
    const late = { deadline: { endsAt: service.now() } }
    await expect(table.accessPolicies.revoke('readers', late)).rejects.toMatchObject({
      code: 'DeadlineExceeded',
    })
  })

  it('R-75: is not written when the policy is not there', async () => {
    const { table, sent } = await freshTable(Customer)
    expect(await table.accessPolicies.revoke('readers')).toBe(false)
    expect(sent.map(({ method }) => method)).toEqual(['GET'])
  })

  it('R-74: rejects what the service would, before anything is sent', async () => {
    const { table, sent } = await freshTable(Customer)
    const six = Array.from({ length: 6 }, (_, index) => ({ id: `p${index}` }))
    await expect(table.accessPolicies.set(six)).rejects.toThrow(
      expect.objectContaining({ code: 'InvalidAccessPolicy' }),
    )
    expect(sent).toEqual([])
  })

  it('R-25: are those of a table', async () => {
    const { accessPolicies } = freshAccount().account.table('people')
    await expect(accessPolicies.get()).rejects.toThrow(TableNotFoundError)
    await expect(accessPolicies.set([])).rejects.toThrow(TableNotFoundError)
  })

  it('rejects unknown options', async () => {
    const { accessPolicies } = freshAccount().account.table('people')
    const options = { timeuot: 5 } as object
    await expect(accessPolicies.get(options)).rejects.toThrow(
      expect.objectContaining({ code: 'UnknownOption' }),
    )
    await expect(accessPolicies.set([], options)).rejects.toThrow(
      expect.objectContaining({ code: 'UnknownOption' }),
    )
    await expect(accessPolicies.revoke('a', options)).rejects.toThrow(
      expect.objectContaining({ code: 'UnknownOption' }),
    )
  })
})
