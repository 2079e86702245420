import * as cipher from '../../../../packages/mapper/src/web/crypto/cipher.ts'
import * as hash from '../../../../packages/mapper/src/web/crypto/hash.ts'
import * as mac from '../../../../packages/mapper/src/web/crypto/mac.ts'
import { describeAlgorithms } from '../../crypto/describe-algorithms.ts'

describeAlgorithms('the algorithms of browsers', { ...hash, ...mac, ...cipher })
