@rem `npm start` begins with the shell's `exec`, so that a signal to npm reaches the server. Windows' shell has none.
@%*
