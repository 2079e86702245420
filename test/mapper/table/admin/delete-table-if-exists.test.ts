import { perform, ServiceError, TransportError } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { deleteTableIfExists } from '../../../../packages/mapper/src/table/admin/delete-table-if-exists.ts'
import { freshAccount } from '../../fresh-account.ts'

describe('deleteTableIfExists', () => {
  it('tells whether it did something, in one request', async () => {
    const { account, service, sent } = freshAccount()
    await account.createTable('people')
    sent.length = 0
    expect(await perform(service, deleteTableIfExists, { table: 'people' })).toBe(true)
    expect(await perform(service, deleteTableIfExists, { table: 'people' })).toBe(false)
    expect(sent).toHaveLength(2)
  })

  it('takes a table that is gone after a lost answer for deleted', async () => {
    const { account, service } = freshAccount()
    await account.createTable('people')
    let lost = 0
    const losing: typeof service = {
      ...service,
      async transport(request, limits) {
        const response = await service.transport(request, limits)
        if (lost++ > 0) return response
        throw new TransportError({ message: 'lost', mayHaveApplied: true })
      },
    }
    const retry = { delayAfter: () => 0 }
    expect(await perform(losing, deleteTableIfExists, { table: 'people' }, { retry })).toBe(true)
    expect(lost).toBe(2)
  })

  it('takes no other refusal for an answer', async () => {
    expect(deleteTableIfExists.expects).toContain('ResourceNotFound')
    expect(deleteTableIfExists.expects).not.toContain('TableBeingDeleted')
    const { service } = freshAccount()
    const refusing: typeof service = {
      ...service,
      transport: async () => ({ status: 403, headers: {}, body: '' }),
    }
    await expect(perform(refusing, deleteTableIfExists, { table: 'people' })).rejects.toThrow(
      ServiceError,
    )
  })
})
