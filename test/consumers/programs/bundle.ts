// A bundle contains the embedded service only by this import.
import 'rowkey/embedded'
import './main.js'
