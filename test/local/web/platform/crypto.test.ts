import * as crypto from '../../../../packages/local/src/web/platform/crypto.ts'
import { describeCrypto } from '../../platform/describe-crypto.ts'

describeCrypto('the crypto of browsers and workers', crypto)
