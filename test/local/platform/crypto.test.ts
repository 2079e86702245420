import * as crypto from '../../../packages/local/src/platform/crypto.ts'
import { describeCrypto } from './describe-crypto.ts'

describeCrypto('node:crypto', crypto)
