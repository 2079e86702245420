import * as cipher from '../../../packages/mapper/src/crypto/cipher.ts'
import * as hash from '../../../packages/mapper/src/crypto/hash.ts'
import * as mac from '../../../packages/mapper/src/crypto/mac.ts'
import { describeAlgorithms } from './describe-algorithms.ts'

describeAlgorithms('node:crypto', { ...hash, ...mac, ...cipher })
