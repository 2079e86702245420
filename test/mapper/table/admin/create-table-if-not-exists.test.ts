import { perform, ServiceError, TransportError } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { createTableIfNotExists } from '../../../../packages/mapper/src/table/admin/create-table-if-not-exists.ts'
import { freshAccount } from '../../fresh-account.ts'

describe('createTableIfNotExists', () => {
  it('tells whether it did something, in one request', async () => {
    const { account, service, sent } = freshAccount()
    await account.createTable('other')
    sent.length = 0
    expect(await perform(service, createTableIfNotExists, { table: 'people' })).toBe(true)
    expect(await perform(service, createTableIfNotExists, { table: 'people' })).toBe(false)
    expect(sent).toHaveLength(2)
  })

  it('takes the table that it finds after a lost answer for its own', async () => {
    const { service } = freshAccount()
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
    expect(await perform(losing, createTableIfNotExists, { table: 'people' }, { retry })).toBe(true)
    expect(lost).toBe(2)
  })

  it('takes no other refusal for an answer', async () => {
    expect(createTableIfNotExists.expects).toContain('TableAlreadyExists')
    expect(createTableIfNotExists.expects).not.toContain('TableBeingDeleted')
    const { service } = freshAccount()
    const refusing: typeof service = {
      ...service,
      transport: async () => ({ status: 403, headers: {}, body: '' }),
    }
    await expect(perform(refusing, createTableIfNotExists, { table: 'people' })).rejects.toThrow(
      ServiceError,
    )
  })
})
