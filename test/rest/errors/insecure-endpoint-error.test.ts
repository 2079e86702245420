import { InputError } from '@rowkey/odata'
import { InsecureEndpointError, tableService } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'

describe('InsecureEndpointError', () => {
  it('is an InputError with a name and a code of its own', () => {
    expect(() =>
      tableService({
        connectionString: 'DefaultEndpointsProtocol=http;AccountName=contoso;AccountKey=c2VjcmV0',
      }),
    ).toThrow(InsecureEndpointError)
    expect(() =>
      tableService({
        connectionString: 'DefaultEndpointsProtocol=http;AccountName=contoso;AccountKey=c2VjcmV0',
      }),
    ).toThrow(InputError)
    expect(() =>
      tableService({
        connectionString: 'DefaultEndpointsProtocol=http;AccountName=contoso;AccountKey=c2VjcmV0',
      }),
    ).toThrow(expect.objectContaining({ name: 'InsecureEndpointError', code: 'InsecureEndpoint' }))
  })
})
