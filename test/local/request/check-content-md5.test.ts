import { describe, expect, it } from 'vitest'
import { checkContentMd5 } from '../../../packages/local/src/request/read-request.ts'

const check = (md5: string | undefined, body: string) => () =>
  checkContentMd5(md5 === undefined ? {} : { 'content-md5': md5 }, body)

describe('checkContentMd5', () => {
  it('accepts a body that matches, or one without the header', () => {
    expect(check('1B2M2Y8AsgTpgAmY7PhCfg==', '')).not.toThrow()
    // The output of `printf '{"a":"é"}' | openssl md5 -binary | base64`.
    expect(check('EQ3xC1a4MpkYL3AWSHnSAw==', '{"a":"é"}')).not.toThrow()
    expect(check(undefined, '{}')).not.toThrow()
    expect(check('', '{}')).not.toThrow()
  })

  it('rejects a body that does not match', () => {
    expect(check('1B2M2Y8AsgTpgAmY7PhCfg==', '{}')).toThrow(
      expect.objectContaining({ status: 400, code: 'Md5Mismatch' }),
    )
  })

  it.each(['abc', '1B2M2Y8AsgTpgAmY7PhCfg', 'd41d8cd98f00b204e9800998ecf8427e'])(
    'rejects %s, which is not an MD5 in base64',
    (md5) => {
      expect(check(md5, '')).toThrow(expect.objectContaining({ status: 400, code: 'InvalidMd5' }))
    },
  )
})
