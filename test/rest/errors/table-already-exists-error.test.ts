import { isRowkeyError } from '@rowkey/odata'
import { createTable, perform, ServiceError, TableAlreadyExistsError } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { jeff } from '../people.ts'
import { scriptedTransport } from '../scripted-transport.ts'
import { serviceOver } from '../service-over.ts'

describe('TableAlreadyExistsError', () => {
  it('is a ServiceError, with the status and the code of the service', async () => {
    const body = '{"odata.error":{"code":"TableAlreadyExists","message":{"value":"No."}}}'
    const service = serviceOver(scriptedTransport({ status: 409, body }))
    const error = await perform(service, createTable, jeff).catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(TableAlreadyExistsError)
    expect(error).toBeInstanceOf(ServiceError)
    expect(isRowkeyError(error)).toBe(true)
    expect(error).toMatchObject({
      name: 'TableAlreadyExistsError',
      status: 409,
      code: 'TableAlreadyExists',
    })
  })
})
