import { isRowkeyError } from '@rowkey/odata'
import { perform, queryTables, ServiceError } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { scriptedTransport } from '../scripted-transport.ts'
import { serviceOver } from '../service-over.ts'

describe('ServiceError', () => {
  it('R-107: carries what the service said, and which request it was', async () => {
    const headers = { 'x-ms-request-id': 'request-1' }
    const body = '{"odata.error":{"code":"InvalidInput","message":{"value":"Syntax error."}}}'
    const service = serviceOver(scriptedTransport({ status: 400, headers, body }))
    const error = await perform(service, queryTables, {}).catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(ServiceError)
    expect(isRowkeyError(error)).toBe(true)
    expect(error).toMatchObject({
      name: 'ServiceError',
      code: 'InvalidInput',
      status: 400,
      requestId: 'request-1',
      operation: 'queryTables',
      mayHaveApplied: false,
      attempts: 1,
      message:
        'queryTables of account contoso failed: Syntax error. (400 InvalidInput, request id request-1)',
    })
  })
})
