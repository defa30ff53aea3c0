/* What only mistakes reach: the compiler puts the ways to it apart from what runs all the time.

   Behind each step of a function mypyc writes what happens if it fails. Told that this is rare, the compiler collects it
   elsewhere, and what does run lies closer together in memory. */

#if defined(__GNUC__) && __has_include(<CPy.h>) /* the module that only loads the others is compiled without it */

#include <CPy.h>

void CPy_AddTraceback(const char *, const char *, int, PyObject *) __attribute__((cold));
void CPy_TypeError(const char *, PyObject *) __attribute__((cold));
void CPy_TypeErrorTraceback(const char *, const char *, int, PyObject *, const char *, PyObject *) __attribute__((cold));
void CPy_AttributeError(const char *, const char *, const char *, const char *, int, PyObject *) __attribute__((cold));
void CPyError_OutOfMemory(void) __attribute__((cold));
void CPy_Raise(PyObject *) __attribute__((cold));
static void CPy_DecRef(PyObject *) __attribute__((cold)); /* what runs all the time uses the macros instead */
static void CPy_XDecRef(void *) __attribute__((cold));

#endif
