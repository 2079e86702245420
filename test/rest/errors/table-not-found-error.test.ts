import { isRowkeyError } from '@rowkey/odata'
import { deleteTable, perform, ServiceError, TableNotFoundError } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { jeff } from '../people.ts'
import { scriptedTransport } from '../scripted-transport.ts'
import { serviceOver } from '../service-over.ts'

describe('TableNotFoundError', () => {
  it('is a ServiceError, with the status and the code of the service', async () => {
    const body = '{"odata.error":{"code":"ResourceNotFound","message":{"value":"No."}}}'
    const service = serviceOver(scriptedTransport({ status: 404, body }))
    const error = await perform(service, deleteTable, jeff).catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(TableNotFoundError)
    expect(error).toBeInstanceOf(ServiceError)
    expect(isRowkeyError(error)).toBe(true)
    expect(error).toMatchObject({
      name: 'TableNotFoundError',
      status: 404,
      code: 'ResourceNotFound',
    })
  })
})
