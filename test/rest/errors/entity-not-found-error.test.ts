import { isRowkeyError } from '@rowkey/odata'
import { EntityNotFoundError, getEntity, perform, ServiceError } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { jeff } from '../people.ts'
import { scriptedTransport } from '../scripted-transport.ts'
import { serviceOver } from '../service-over.ts'

describe('EntityNotFoundError', () => {
  it('is a ServiceError, with the status and the code of the service', async () => {
    const body = '{"odata.error":{"code":"ResourceNotFound","message":{"value":"No."}}}'
    const service = serviceOver(scriptedTransport({ status: 404, body }))
    const error = await perform(service, getEntity, jeff).catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(EntityNotFoundError)
    expect(error).toBeInstanceOf(ServiceError)
    expect(isRowkeyError(error)).toBe(true)
    expect(error).toMatchObject({
      name: 'EntityNotFoundError',
      status: 404,
      code: 'ResourceNotFound',
    })
  })
})
