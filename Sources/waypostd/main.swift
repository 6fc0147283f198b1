import Glibc
import Kiosk

exit(Daemon.run(Array(CommandLine.arguments.dropFirst())))
