import { isRowkeyError } from '@rowkey/odata'
import { EntityAlreadyExistsError, insertEntity, perform, ServiceError } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { jeff } from '../people.ts'
import { scriptedTransport } from '../scripted-transport.ts'
import { serviceOver } from '../service-over.ts'

describe('EntityAlreadyExistsError', () => {
  it('is a ServiceError, with the status and the code of the service', async () => {
    const body = '{"odata.error":{"code":"EntityAlreadyExists","message":{"value":"No."}}}'
    const service = serviceOver(scriptedTransport({ status: 409, body }))
    const error = await perform(service, insertEntity, jeff).catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(EntityAlreadyExistsError)
    expect(error).toBeInstanceOf(ServiceError)
    expect(isRowkeyError(error)).toBe(true)
    expect(error).toMatchObject({
      name: 'EntityAlreadyExistsError',
      status: 409,
      code: 'EntityAlreadyExists',
    })
  })
})
