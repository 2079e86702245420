import { isRowkeyError } from '@rowkey/odata'
import { AuthenticationError, getEntity, perform, ServiceError } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { jeff } from '../people.ts'
import { scriptedTransport } from '../scripted-transport.ts'
import { serviceOver } from '../service-over.ts'

describe('AuthenticationError', () => {
  it('is a ServiceError, with the status and the code of the service', async () => {
    const body = '{"odata.error":{"code":"AuthenticationFailed","message":{"value":"No."}}}'
    const service = serviceOver(scriptedTransport({ status: 403, body }))
    const error = await perform(service, getEntity, jeff).catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(AuthenticationError)
    expect(error).toBeInstanceOf(ServiceError)
    expect(isRowkeyError(error)).toBe(true)
    expect(error).toMatchObject({
      name: 'AuthenticationError',
      status: 403,
      code: 'AuthenticationFailed',
    })
  })
})
