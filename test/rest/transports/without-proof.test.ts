import { describe, expect, it } from 'vitest'
import { withoutEcho, withoutProof } from '../../../packages/rest/src/transports/without-proof.ts'
import { read } from '../people.ts'

const SIGNATURE = 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA='

describe('withoutProof', () => {
  it('takes Authorization off and leaves the other headers', () => {
    const headers = { authorization: `SharedKeyLite contoso:${SIGNATURE}`, 'if-match': '*' }
    expect(withoutProof({ ...read, headers }).headers).toEqual({ 'if-match': '*' })
  })

  it.each([
    ['', ''],
    ['$top=5&timeout=10', '$top=5&timeout=10'],
    ['sv=2019-02-02&sig=x%3D', ''],
    [
      '$filter=sp%20eq%201&tn=t&sp=raud&se=2030-01-01&NextPartitionKey=a&sv=2019-02-02&sig=x%3D',
      '$filter=sp%20eq%201&NextPartitionKey=a',
    ],
  ])('leaves of the query %j all but the SAS', (query, left) => {
    expect(withoutProof({ ...read, query }).query).toBe(left)
  })
})

describe('withoutEcho', () => {
  it('takes out what an answer repeats of a signature', () => {
    const answer = withoutEcho({
      status: 307,
      headers: { location: `https://a.example/t?sv=1&sig=x%3D&tn=t`, 'set-cookie': 'a=b' },
      body: `The MAC signature found in the HTTP request '${SIGNATURE}' is wrong. sig=x%3D`,
    })
    expect(answer).toEqual({
      status: 307,
      headers: { location: 'https://a.example/t?sv=1&sig=<redacted>&tn=t' },
      body: "The MAC signature found in the HTTP request '<redacted>' is wrong. sig=<redacted>",
    })
  })

  it('leaves what an entity holds as it is', () => {
    const body = `{"bytes":"${SIGNATURE}","note":"sig=x"}`
    expect(withoutEcho({ status: 200, headers: {}, body }).body).toBe(body)
  })
})
